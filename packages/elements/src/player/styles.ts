/** The look of the player. Pages change it by `--reelmill-...`, by the variables of media-chrome and by parts. */
export const playerStyles = `
:host {
	--_accent: var(--reelmill-player-accent, #818cf8);
	--_veil: rgb(14 16 22 / .88);
	display: block;
	aspect-ratio: 16 / 9;
	overflow: hidden;
	background: #000;
	border-radius: var(--reelmill-radius, 12px);
	color: #fff;
	font: var(--reelmill-font, 15px/1.45 system-ui, sans-serif);
}
:host([hidden]), [hidden] { display: none !important; }
*, ::before { box-sizing: border-box; }
media-controller {
	--media-primary-color: #fff;
	--media-secondary-color: transparent;
	--media-control-background: transparent;
	--media-control-hover-background: rgb(255 255 255 / .16);
	--media-background-color: #000;
	--media-font-family: inherit;
	--media-font-weight: 500;
	--media-font-size: 13px;
	--media-control-height: 22px;
	--media-control-padding: 9px;
	--media-range-bar-color: var(--_accent);
	--media-range-thumb-background: var(--_accent);
	--media-range-track-background: rgb(255 255 255 / .3);
	--media-range-track-height: 4px;
	--media-range-track-border-radius: 2px;
	--media-time-range-buffered-color: rgb(255 255 255 / .35);
	--media-range-thumb-width: 14px;
	--media-range-thumb-height: 14px;
	--media-tooltip-background-color: var(--_veil);
	--media-tooltip-border-radius: 6px;
	--media-preview-background: var(--_veil);
	--media-preview-border-radius: 6px;
	--media-preview-time-background: var(--_veil);
	--media-preview-thumbnail-border-radius: 6px 6px 0 0;
	--media-menu-background: var(--_veil);
	--media-settings-menu-background: var(--_veil);
	--media-menu-border-radius: 8px;
	--media-focus-box-shadow: inset 0 0 0 2px #fff;
	--media-menu-item-focus-shadow: inset 0 0 0 2px #fff;
	--media-loading-indicator-icon-height: 64px;
	width: 100%;
	height: 100%;
	font: inherit;
	line-height: 0;
	container-type: inline-size;
}
video { width: 100%; height: 100%; object-fit: contain; }
video::cue { font-size: max(14px, 2.8cqi); }
/* Captions stand clear of the edge, and above the controls while these are shown. */
video::-webkit-media-text-track-container { transform: translateY(max(-24px, -2.5cqi)); transition: transform .15s; }
media-controller:not([userinactive]:not([mediapaused])) video::-webkit-media-text-track-container { transform: translateY(-76px); }
/* One veil under all of the controls, so that they have no seam. */
.veil {
	position: absolute;
	inset: auto 0 0;
	height: min(136px, 100%);
	background: linear-gradient(transparent, rgb(0 0 0 / .06) 16%, rgb(0 0 0 / .34) 52%, rgb(0 0 0 / .7));
	pointer-events: none;
}
media-control-bar { position: relative; padding: 0 6px 6px; }
media-control-bar.time { padding: 0 8px; }
media-control-bar > * { border-radius: 8px; }
media-time-range { width: 100%; height: 20px; --media-control-hover-background: transparent; }
media-volume-range { width: 84px; --media-control-hover-background: transparent; }
media-time-display { font-variant-numeric: tabular-nums; --media-control-hover-background: transparent; }
media-settings-menu {
	--media-menu-background: rgb(14 16 22 / .97);
	--media-menu-max-height: calc(var(--_menu-max-height, 300px) - 8px);
	margin: 0 8px 4px;
	z-index: 1;
	overflow: hidden;
	background: rgb(14 16 22 / .97);
	border-radius: 8px;
}
media-chrome-menu-item { --media-menu-item-checked-indicator-display: none; }
media-chrome-menu-item:not([aria-checked="true"]) .icon { visibility: hidden; }
media-settings-menu .icon { width: 20px; height: 20px; fill: none; }
[dir="rtl"] :is([data-icon="back"], [data-icon="forward"]) { transform: scaleX(-1); }
[data-chapters] media-settings-menu { min-width: min(300px, 85cqi); }
.chapter { max-width: min(190px, 48cqi); margin-inline-end: 12px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.chapter-time { display: inline-flex; align-items: center; gap: 6px; font-variant-numeric: tabular-nums; }
.chapter-time::before { content: attr(data-time); }
.space { flex: 1; }
media-captions-button, media-airplay-button { display: none; }
[data-captions] media-captions-button, [data-airplay] media-airplay-button { display: inline-flex; }
media-control-bar > :is([mediapipunavailable], [mediaairplayunavailable], [mediafullscreenunavailable]) { display: none; }
[slot="icon"] { width: 24px; height: 24px; stroke-width: 1.6; }
.centre { display: flex; align-items: center; justify-content: center; gap: max(24px, 14cqi); pointer-events: none; line-height: normal; }
/* The bar of a narrow player has no place for the steps: there they stand beside the middle. */
.centre > media-seek-backward-button, .centre > media-seek-forward-button {
	--media-control-height: 28px;
	display: none;
	background: rgb(14 16 22 / .72);
	border-radius: 50%;
	pointer-events: auto;
}
[part~="start"] {
	display: grid;
	place-items: center;
	width: 72px;
	height: 72px;
	padding: 0;
	color: #fff;
	background: rgb(14 16 22 / .72);
	border: 0;
	border-radius: 50%;
	cursor: pointer;
	pointer-events: auto;
	transition: background-color .15s, transform .15s;
}
[part~="start"]:hover { background: rgb(14 16 22 / .9); transform: scale(1.04); }
[part~="start"] .icon { width: 34px; height: 34px; }
[part~="start"] [data-icon="resume"] { margin-inline-start: 4px; fill: currentColor; }
:focus { outline: none; }
:focus-visible { outline: 2.5px solid #fff; outline-offset: -3px; }
.icon { width: 24px; height: 24px; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round; }
[part~="problem"] {
	position: absolute;
	inset: 0;
	display: grid;
	place-content: center;
	justify-items: center;
	gap: 12px;
	padding: 24px;
	line-height: 1.45;
	text-align: center;
	text-wrap: balance;
	/* The poster, or what was played last, stays behind it. */
	background: rgb(14 16 22 / .82);
	pointer-events: auto;
}
[data-problem] :is([part~="start"], .centre > *, .veil, media-control-bar, media-loading-indicator) { visibility: hidden; }
[part~="progress"] { width: min(220px, 60cqi); height: 4px; appearance: none; overflow: hidden; border: 0; border-radius: 2px; background: rgb(255 255 255 / .25); }
[part~="progress"]::-webkit-progress-bar { background: none; }
[part~="progress"]::-webkit-progress-value { background: var(--_accent); }
[part~="progress"]::-moz-progress-bar { background: var(--_accent); }
[part~="problem"] p { max-width: 44ch; margin: 0; }
[part~="problem"] .icon { width: 32px; height: 32px; opacity: .8; }
[data-waiting] > .icon { display: none; }
[part~="retry"] {
	min-height: 40px;
	padding: 8px 18px;
	font: inherit;
	font-weight: 600;
	color: #14161c;
	background: #fff;
	border: 0;
	border-radius: 8px;
	cursor: pointer;
}
[part~="retry"]:hover { background: #e4e7ee; }
[part~="retry"]:focus-visible { outline-offset: 2px; }
media-controller:not([breakpointsm]) :is(media-volume-range, media-pip-button, media-control-bar > [part~="seek-backward"], media-control-bar > [part~="seek-forward"]) { display: none; }
media-controller[data-started]:not([breakpointsm], [userinactive]:not([mediapaused])) .centre > :is(media-seek-backward-button, media-seek-forward-button) { display: inline-flex; }
media-controller:not([breakpointsm]) media-time-range {
	--media-preview-thumbnail-max-width: 112px;
	--media-preview-thumbnail-min-width: 80px;
	--media-preview-thumbnail-max-height: 63px;
	--media-preview-thumbnail-min-height: 45px;
}
media-controller:not([breakpointsm]) media-settings-menu { --media-control-height: 20px; --media-font-size: 12px; }
media-controller:not([breakpointsm]) :is(media-settings-menu-item, media-chrome-menu-item) { padding-block: 2px; }
media-controller:not([breakpointsm]) [part~="start"] { width: 56px; height: 56px; }
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
@media (forced-colors: active) {
	media-controller {
		--media-primary-color: ButtonText;
		--media-control-hover-background: Highlight;
		--media-range-bar-color: Highlight;
		--media-range-thumb-background: Highlight;
		--media-range-thumb-border: 1px solid Canvas;
		--media-range-track-background: Canvas;
		--media-range-track-border: 1px solid CanvasText;
		--media-range-track-height: 6px;
		--media-time-range-buffered-color: GrayText;
	}
	.veil { display: none; }
	media-control-bar { background: Canvas; }
	media-control-bar.time { padding-top: 4px; }
	.centre > media-seek-backward-button, .centre > media-seek-forward-button { background: ButtonFace; border: 1px solid ButtonText; }
	[part~="progress"] { border: 1px solid CanvasText; }
	[part~="start"] { color: ButtonText; background: ButtonFace; border: 2px solid ButtonText; }
	[part~="retry"] { border: 1px solid ButtonText; }
	media-settings-menu { border: 1px solid CanvasText; }
}
`;
