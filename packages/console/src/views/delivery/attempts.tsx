import type { WebhookDeliveryDetail } from "@reelmill/contracts";
import { Link } from "@tanstack/react-router";
import { CircleCheck, CircleDashed, CircleX } from "lucide-react";
import { Time } from "../../components/time.tsx";
import styles from "./attempts.module.css";

type AttemptsProps = { delivery: WebhookDeliveryDetail; current: number | null };

/** The attempts as a row of dots, each with what it came to and when. The URL says which one is looked at. */
export function Attempts({ delivery: { exchanges, status, next_attempt_at }, current }: AttemptsProps) {
	return (
		<nav aria-label="Attempts">
			<ol className={styles.attempts}>
				{exchanges.map(({ attempt, error, response_status, attempted_at }) => (
					<li key={attempt}>
						<Link
							to="."
							search={{ attempt: String(attempt) } as never}
							replace
							className={styles.attempt}
							data-tone={error === null ? "good" : "bad"}
							data-current={attempt === current || undefined}
							aria-current={attempt === current ? "true" : undefined}
							activeProps={{}}
						>
							{error === null ? <CircleCheck size={18} aria-hidden /> : <CircleX size={18} aria-hidden />}
							<span className="visually-hidden">Attempt {attempt}: </span>
							<span>{response_status ?? error?.replaceAll("_", " ")}</span>
							<span className="muted small">
								<Time at={attempted_at} />
							</span>
						</Link>
					</li>
				))}
				{status === "pending" && (
					<li className={styles.attempt} data-tone="busy">
						<CircleDashed size={18} aria-hidden />
						<span>next</span>
						<span className="muted small">
							<Time at={next_attempt_at} none="soon" />
						</span>
					</li>
				)}
			</ol>
		</nav>
	);
}
