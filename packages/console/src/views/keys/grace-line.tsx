import { useEffect, useState } from "react";
import { Time } from "../../components/time.tsx";
import { exactTime } from "../../format/time.ts";
import styles from "./grace-line.module.css";

type GraceLineProps = {
	previous: { readonly last4: string };
	current: { readonly last4: string; readonly created_at: string } | undefined;
	endsAt: string;
};

/** A rotation as a line from the moment of the new key to the end of the old one: what works, and until when. */
export function GraceLine({ previous, current, endsAt }: GraceLineProps) {
	const now = useSeconds();
	const [begun, ends] = [Date.parse(current?.created_at ?? endsAt), Date.parse(endsAt)];
	const share = ends <= begun ? 1 : Math.min(1, Math.max(0, (now - begun) / (ends - begun)));
	return (
		<div className="stack">
			<p>
				<code>…{previous.last4}</code> and <code>…{current?.last4}</code> both work. The old one ends{" "}
				<Time at={endsAt} />: requests that still use it then get <code>401 unauthorized</code>. Only the new one can
				rotate keys.
			</p>
			<figure className={styles.figure} aria-label={`${Math.round(share * 100)} % of the grace period is over`}>
				<code>…{current?.last4}</code>
				<svg viewBox="0 0 100 12" preserveAspectRatio="none" className={styles.line} aria-hidden>
					<rect x={0} y={2} width={100} height={8} className={styles.current} />
					<line x1={share * 100} x2={share * 100} y1={0} y2={12} className={styles.now} />
				</svg>
				<code>…{previous.last4}</code>
				<svg viewBox="0 0 100 12" preserveAspectRatio="none" className={styles.line} aria-hidden>
					<rect x={0} y={2} width={share * 100} height={8} className={styles.over} />
					<rect x={share * 100} y={2} width={(1 - share) * 100} height={8} className={styles.left} />
					<line x1={share * 100} x2={share * 100} y1={0} y2={12} className={styles.now} />
				</svg>
				<figcaption className={styles.ends}>
					<span>rotated {current && <time dateTime={current.created_at}>{clock(current.created_at)}</time>}</span>
					<time dateTime={endsAt} title={exactTime(endsAt)}>
						…{previous.last4} ends {clock(endsAt)}
					</time>
				</figcaption>
			</figure>
		</div>
	);
}

const clock = (at: string): string =>
	new Date(at).toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

function useSeconds(): number {
	const [now, setNow] = useState(() => Date.now());
	useEffect(() => {
		const timer = setInterval(() => setNow(Date.now()), 1000);
		return () => clearInterval(timer);
	}, []);
	return now;
}
