import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX } from "lucide-react";
import { createCaller } from "../api/client.ts";
import { useConnection } from "../api/connection.ts";
import styles from "./health.module.css";

/** Whether the server answers, asked every ten seconds; every three while it is gone. */
export function Health() {
	const connection = useConnection();
	useQuery({
		queryKey: ["health"],
		queryFn: ({ signal }) => createCaller(null)("getHealth", {}, { signal }),
		refetchInterval: connection === "lost" ? 3000 : 10_000,
		retry: false,
	});
	const Shape = connection === "lost" ? CircleX : CircleCheck;
	return (
		<span className={styles.health} data-state={connection}>
			<Shape size={14} aria-hidden />
			<span className={styles.word}>{connection === "lost" ? "not reachable" : "healthy"}</span>
		</span>
	);
}
