// Compiled, not run: the tags in React 19.
import "@reelmill/elements";
import type {} from "@reelmill/elements/react";

export const right = (
	<main>
		<reelmill-uploader
			back-end="/video"
			max-bytes={5_000_000}
			camera
			className="wide"
			onuploaddone={({ detail }) => detail.item.upload?.videoId satisfies string | null | undefined}
			onClick={({ currentTarget }) => currentTarget.start()}
		/>
		<reelmill-player
			key="one"
			backEnd="/video"
			video-id="video-1"
			start-time="4"
			onplayerready={({ detail }) => detail.player.setSpeed(2)}
			onvolumechange={(event) => event.type}
			ref={(player) => player?.pause()}
		/>
	</main>
);

export const wrong = (
	<main>
		{/* @ts-expect-error a number of bytes */}
		<reelmill-uploader max-bytes="many" />
		{/* @ts-expect-error no such preload */}
		<reelmill-player preload="all" />
		{/* @ts-expect-error no such attribute */}
		<reelmill-player picture="a.jpg" />
	</main>
);
