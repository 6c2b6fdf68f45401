/** @jsxImportSource solid-js */
// Compiled, not run: the tags in Solid.
import "@reelmill/elements";
import type {} from "@reelmill/elements/solid";

export const right = () => (
	<main>
		<reelmill-uploader
			back-end="/video"
			max-files={3}
			multiple
			class="wide"
			on:uploaddone={({ detail }) => detail.item.upload?.videoId satisfies string | null | undefined}
		/>
		<reelmill-player
			video={{ id: "video-1", visibility: "public", outputs: null }}
			key={async () => ({ playback_key: "k1", expires_at: "2099-01-01T00:00:00.000Z" })}
			on:playerready={({ detail }) => detail.player.setSpeed(2)}
			ref={(player) => player.pause()}
		/>
	</main>
);

export const wrong = () => (
	<main>
		{/* @ts-expect-error a number of files */}
		<reelmill-uploader max-files="three" />
		{/* @ts-expect-error no such codec */}
		<reelmill-player codec="vp9" />
	</main>
);
