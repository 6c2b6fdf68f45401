/** What each benchmark is to come to, beside what it measured. docs/measurements and the decisions say why. */
export const wanted = {
	"authenticated GET": "at least 0.35 of a bare Node server",
	"page of 100": "at least 0.03 of a bare Node server",
	check: "at most 30 min",
	"claim-queue": "less than 1 ms",
	"edge-cache": "at least 98 %",
	"hot segment": "at least 0.75 of nginx, CPU at most 1.0",
	"segment not in memory": "at least 0.75 of nginx, CPU at most 1.8",
	playlist: "at least 0.65 of nginx, and 0.85 of a bare Node server with the same head",
	placedStart: "under 1 s",
	memory: "at most 5 % in an hour",
	migrations: "less than 1000 ms, all but the last",
	processes: "1.8 at the same speed, 1.6 by CPU",
	"s3-upload": "at most 0.5",
	"upload, discarding": "at least 0.5",
	"upload, FileStore": "at least 1.2, CPU at most 0.6",
	"upload-leases": "less than 10 % of a core",
} as const;
