import { Component, CUSTOM_ELEMENTS_SCHEMA, signal } from "@angular/core";
import type { UploaderEvents } from "@reelmill/elements";

@Component({
	selector: "video-list",
	schemas: [CUSTOM_ELEMENTS_SCHEMA],
	template: `
		<main>
			<h1>Videos</h1>
			<reelmill-uploader back-end="/video" multiple camera (uploaddone)="done($event)"></reelmill-uploader>
			@for (id of ids(); track id) {
				<reelmill-player back-end="/video" [attr.video-id]="id"></reelmill-player>
			}
		</main>
	`,
	styles: "main { max-width: 720px; margin: 32px auto; padding: 0 16px; font-family: system-ui }",
})
export class VideoList {
	readonly ids = signal<readonly string[]>([]);

	done({ detail }: UploaderEvents["uploaddone"]): void {
		const id = detail.item.upload?.videoId;
		if (id) this.ids.update((ids) => [...ids, id]);
	}
}
