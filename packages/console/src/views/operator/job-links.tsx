import { Link } from "@tanstack/react-router";
import { Id } from "../../components/copy.tsx";
import styles from "./job-links.module.css";

type OfVideo = {
	readonly video_id: string;
	readonly external_ref: string | null;
	readonly domain_slug: string | null;
};

/** A link to a video's page, by its name if it has one, and its id; the bare id once the domain is deleted, and for an outro, which has no page. */
export function VideoLink({
	video_id: id,
	external_ref: name,
	domain_slug: domain,
	kind,
}: OfVideo & { readonly kind: string }) {
	if (domain === null || kind === "outro") return <Id id={id} label="Copy video id" />;
	const short = <code className={name === null ? undefined : "muted small"}>{id.slice(0, 8)}…</code>;
	return (
		<Link to="/d/$domain/videos/$id" params={{ domain, id }} title={name ?? id} className={styles.video}>
			{name !== null && <span className={styles.name}>{name}</span>}
			{short}
		</Link>
	);
}

type Job = OfVideo & { readonly kind: string; readonly is_sandbox?: boolean };

/** What a job is, and a link to its video. */
export const JobLink = (job: Job) => (
	<span className={styles.whole}>
		{job.kind} <VideoLink {...job} />
		{job.is_sandbox && <span className="muted small"> sandbox</span>}
	</span>
);

/** A link to a domain's overview; words once it is deleted. */
export function DomainLink({ slug }: { slug: string | null }) {
	if (slug === null) return <span className="muted">deleted domain</span>;
	return (
		<Link to="/d/$domain" params={{ domain: slug }} className={styles.whole}>
			{slug}
		</Link>
	);
}

/** How fast a job is, as a multiple of real time. */
export const formatSpeed = (speed: number | null): string => (speed === null ? "–" : `${speed.toFixed(1)}×`);
