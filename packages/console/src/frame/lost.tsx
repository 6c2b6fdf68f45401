import { useQueryClient } from "@tanstack/react-query";
import { Unplug } from "lucide-react";
import { useEffect, useRef } from "react";
import { useConnection } from "../api/connection.ts";
import styles from "./lost.module.css";

/**
 * Says that the server does not answer, and that what is shown may be old. When it is back, all that is shown is read
 * again.
 */
export function Lost() {
	const connection = useConnection();
	const queryClient = useQueryClient();
	const wasLost = useRef(false);
	useEffect(() => {
		if (connection === "found" && wasLost.current) void queryClient.invalidateQueries();
		wasLost.current = connection === "lost";
	}, [connection, queryClient]);
	return (
		<div role="status">
			{connection === "lost" && (
				<div className={styles.lost}>
					<Unplug size={16} aria-hidden />
					The server does not answer. What you see may be old; it is refreshed as soon as the server is back.
				</div>
			)}
		</div>
	);
}
