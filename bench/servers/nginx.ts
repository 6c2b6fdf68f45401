import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../scripts/programs/program.ts";
import { playlist, segmentFile } from "./outputs.ts";

/** The reference: nginx with sendfile and cached open files, one worker process, no log and no authentication. */
const directory = await mkdtemp(join(tmpdir(), "reelmill-nginx-"));
const port = await freePort();
await writeFile(join(directory, "master.m3u8"), playlist);
await writeFile(join(directory, "media.mp4"), segmentFile);
await writeFile(
	join(directory, "nginx.conf"),
	`daemon off; worker_processes 1; pid ${directory}/pid; error_log stderr crit;
${process.getuid?.() === 0 ? "user root;" : ""}
events { worker_connections 1024; }
http {
	access_log off; sendfile on; tcp_nopush on; tcp_nodelay on;
	keepalive_requests 1000000; open_file_cache max=1000; sendfile_max_chunk 2m;
	types { application/vnd.apple.mpegurl m3u8; video/mp4 mp4; }
	client_body_temp_path ${directory}/b; proxy_temp_path ${directory}/p; fastcgi_temp_path ${directory}/f;
	uwsgi_temp_path ${directory}/u; scgi_temp_path ${directory}/s;
	server { listen 127.0.0.1:${port}; root ${directory}; }
}
`,
);
const nginx = spawn("nginx", ["-p", directory, "-c", "nginx.conf"], { stdio: ["ignore", "inherit", "inherit"] });
process.once("SIGTERM", async () => {
	nginx.kill("SIGQUIT");
	await once(nginx, "exit");
	await rm(directory, { recursive: true, force: true });
	process.exit();
});
const url = `http://127.0.0.1:${port}`;
while (!(await fetch(url).catch(() => null))) await new Promise((resolve) => setTimeout(resolve, 20));
console.log(JSON.stringify({ playlist: `${url}/master.m3u8`, media: `${url}/media.mp4` }));
