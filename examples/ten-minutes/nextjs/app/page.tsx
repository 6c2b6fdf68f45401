"use client";

import { ReelmillPlayer, ReelmillUploader } from "@reelmill/react";
import { useEffect, useState } from "react";

export default function Page() {
	const [videos, setVideos] = useState<string[] | null>();
	const [playing, setPlaying] = useState<string>();
	// The webhook told the back end which video is ready. The page asks the back end.
	useEffect(() => {
		const look = async () => setVideos(await (await fetch("/api/videos")).json());
		const timer = setInterval(() => look().catch(() => undefined), 1000);
		return () => clearInterval(timer);
	}, []);
	if (videos === undefined) return null;
	if (videos === null)
		return (
			<form method="post" action="/api/sign-in">
				<label>
					Your name <input name="name" required />
				</label>
				<button type="submit">Sign in</button>
			</form>
		);
	return (
		<main style={{ maxWidth: 720, margin: "0 auto" }}>
			<h1>My videos</h1>
			<ReelmillUploader backEnd="/api/video" />
			{videos.map((id) => (
				<button key={id} type="button" onClick={() => setPlaying(id)}>
					Play {id}
				</button>
			))}
			{playing && <ReelmillPlayer backEnd="/api/video" videoId={playing} />}
		</main>
	);
}
