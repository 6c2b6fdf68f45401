/**
 * The look of the uploader. Pages change it by `--reelmill-...` and by parts; `color-scheme` says whether it is light
 * or dark.
 */
export const uploaderStyles = `
:host {
	--_text: var(--reelmill-text, #16191f);
	--_muted: var(--reelmill-muted, #59616e);
	--_surface: var(--reelmill-surface, #fff);
	--_raised: var(--reelmill-raised, #f6f7f9);
	--_line: var(--reelmill-line, #d8dce3);
	--_border: var(--reelmill-border, #858d9b);
	--_accent: var(--reelmill-accent, #4f46e5);
	--_on-accent: var(--reelmill-on-accent, #fff);
	--_tint: var(--reelmill-tint, #eef2ff);
	--_good: var(--reelmill-good, #14713d);
	--_bad: var(--reelmill-bad, #b3261e);
	--_radius: var(--reelmill-radius, 12px);
	display: block;
	container-type: inline-size;
	color: var(--_text);
	font: var(--reelmill-font, 15px/1.45 system-ui, sans-serif);
	text-align: start;
}
@supports (color: light-dark(#000, #fff)) {
	:host {
		--_text: var(--reelmill-text, light-dark(#16191f, #eceef2));
		--_muted: var(--reelmill-muted, light-dark(#59616e, #a3abb9));
		--_surface: var(--reelmill-surface, light-dark(#fff, #15181e));
		--_raised: var(--reelmill-raised, light-dark(#f6f7f9, #1e222a));
		--_line: var(--reelmill-line, light-dark(#d8dce3, #333a45));
		--_border: var(--reelmill-border, light-dark(#858d9b, #6b7483));
		--_accent: var(--reelmill-accent, light-dark(#4f46e5, #818cf8));
		--_on-accent: var(--reelmill-on-accent, light-dark(#fff, #10152b));
		--_tint: var(--reelmill-tint, light-dark(#eef2ff, #1b2340));
		--_good: var(--reelmill-good, light-dark(#14713d, #63c98d));
		--_bad: var(--reelmill-bad, light-dark(#b3261e, #ff9c92));
	}
}
:host([hidden]), [hidden] { display: none !important; }
*, ::before { box-sizing: border-box; }
.icon {
	width: 20px;
	height: 20px;
	flex: none;
	fill: none;
	stroke: currentColor;
	stroke-width: 1.75;
	stroke-linecap: round;
	stroke-linejoin: round;
}
[part~="drop-zone"] {
	display: grid;
	justify-items: center;
	gap: 6px;
	padding: 28px 20px 24px;
	text-align: center;
	background: var(--_surface);
	border: 1.5px dashed var(--_border);
	border-radius: var(--_radius);
	transition: background-color .15s, border-color .15s;
}
[part~="drop-zone"]:not([data-over]):hover { border-color: var(--_accent); }
[part~="drop-zone"][data-over] { background: var(--_tint); border: 1.5px solid var(--_accent); }
[part~="sign"] { color: var(--_accent); line-height: 0; }
[part~="sign"] .icon { width: 32px; height: 32px; stroke-width: 1.5; }
[part~="prompt"] { margin: 0; font-size: 1.067em; font-weight: 600; }
[part~="hint"] { margin: 2px 0 0; color: var(--_muted); font-size: .9em; }
[part~="hint"]:empty { display: none; }
.choices { display: flex; flex-wrap: wrap; justify-content: center; gap: 8px; margin-top: 8px; }
button {
	font: inherit;
	color: inherit;
	cursor: pointer;
}
[part~="button"]:not([part~="action"]) {
	display: inline-flex;
	align-items: center;
	gap: 8px;
	min-height: 40px;
	padding: 8px 16px;
	font-weight: 600;
	background: var(--_surface);
	border: 1px solid var(--_border);
	border-radius: calc(var(--_radius) - 4px);
	transition: background-color .15s, border-color .15s, filter .15s;
}
[part~="button"]:not([part~="action"]):hover { background: var(--_raised); }
[part~="button"][part~="primary"] { color: var(--_on-accent); background: var(--_accent); border-color: transparent; }
[part~="button"][part~="primary"]:hover { background: var(--_accent); filter: brightness(1.08); }
[part~="button"]:active { filter: brightness(.95); }
[part~="button"]:disabled { opacity: .5; cursor: default; }
:focus { outline: none; }
:focus-visible { outline: 2.5px solid var(--_accent); outline-offset: 2px; }
ul { display: grid; gap: 8px; margin: 12px 0 0; padding: 0; list-style: none; }
ul:empty { display: none; }
[part~="item"] {
	display: grid;
	grid-template-columns: 36px minmax(0, 1fr) auto;
	align-items: center;
	gap: 12px;
	min-height: 64px;
	padding: 10px 8px 10px 12px;
	padding-inline: 12px 8px;
	background: var(--_surface);
	border: 1px solid var(--_line);
	border-radius: var(--_radius);
	animation: appear .18s ease-out;
}
@keyframes appear { from { opacity: 0; transform: translateY(4px); } }
[part~="badge"] {
	display: grid;
	place-items: center;
	width: 36px;
	height: 36px;
	color: var(--_muted);
	background: var(--_raised);
	border-radius: calc(var(--_radius) - 4px);
}
[data-status="done"] [part~="badge"] { color: var(--_good); }
:is([data-status="failed"], [data-status="refused"], [data-status="expired"]) :is([part~="badge"], [part~="detail"]) {
	color: var(--_bad);
}
[data-status="cancelled"] [part~="name"] { color: var(--_muted); text-decoration: line-through; }
.text { display: grid; gap: 4px; min-width: 0; }
.line { display: flex; justify-content: space-between; gap: 12px; min-width: 0; }
[part~="name"] { display: flex; min-width: 0; font-weight: 550; white-space: pre; }
[part~="name"] .start { overflow: hidden; text-overflow: ellipsis; }
[part~="share"] { flex: none; color: var(--_muted); font-size: .9em; font-variant-numeric: tabular-nums; }
[part~="detail"] { color: var(--_muted); font-size: .87em; font-variant-numeric: tabular-nums; }
[part~="replace"] { justify-self: start; margin-top: 4px; }
[part~="track"] { height: 6px; overflow: hidden; background: var(--_line); border-radius: 3px; }
[part~="bar"] {
	width: var(--_share, 0%);
	height: 100%;
	background: var(--_accent);
	border-radius: inherit;
	transition: width .25s linear;
}
:is([data-status="paused"], [data-status="waiting"], [data-status="failed"]) [part~="bar"] { background: var(--_border); }
[data-status="preparing"] [part~="track"], [data-status="retrying"] [part~="track"] { animation: breathe 1.6s ease-in-out infinite; }
@keyframes breathe { 50% { opacity: .45; } }
[part~="summary"] { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; min-height: 40px; margin-top: 12px; }
[part~="summary"] p { flex: 1; min-width: max-content; margin: 0; color: var(--_muted); font-size: .9em; font-variant-numeric: tabular-nums; }
[part~="actions"] { display: flex; align-items: center; gap: 2px; }
[part~="action"] {
	display: grid;
	place-items: center;
	width: 36px;
	height: 36px;
	padding: 0;
	color: var(--_muted);
	background: none;
	border: 0;
	border-radius: calc(var(--_radius) - 4px);
	transition: background-color .15s, color .15s;
}
[part~="action"]:hover { color: var(--_text); background: var(--_raised); }
:host([disabled]) [part~="drop-zone"] { opacity: .55; border-color: var(--_line); }
dialog {
	width: min(560px, calc(100vw - 32px));
	padding: 0;
	color: var(--_text);
	background: var(--_surface);
	border: 1px solid var(--_line);
	border-radius: calc(var(--_radius) + 4px);
	box-shadow: 0 24px 64px rgb(0 0 0 / .35);
}
dialog::backdrop { background: rgb(10 12 18 / .6); }
dialog header, dialog footer { display: flex; align-items: center; gap: 8px; padding: 10px 12px; padding-inline-start: 16px; }
dialog header { justify-content: space-between; }
dialog footer { justify-content: end; min-height: 64px; }
dialog h2 { margin: 0; font-size: 1.067em; }
dialog video { display: block; width: 100%; aspect-ratio: 4 / 3; object-fit: contain; background: #000; }
[part~="camera-notice"] { margin: 0; padding: 12px 16px 0; color: var(--_bad); }
[part~="camera-notice"]:empty { display: none; }
[data-recording] [part~="camera-main"]::before { content: ""; width: 10px; height: 10px; background: currentColor; border-radius: 2px; }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@container (max-width: 380px) {
	[part~="drop-zone"] { padding: 20px 14px; }
	[part~="item"] { grid-template-columns: minmax(0, 1fr) auto; }
	[part~="badge"] { display: none; }
	.choices, .choices [part~="button"] { width: 100%; justify-content: center; }
}
@media (pointer: coarse) {
	[part~="action"] { width: 44px; height: 44px; }
	[part~="button"]:not([part~="action"]) { min-height: 44px; }
}
@media (prefers-reduced-motion: reduce) {
	* { animation: none !important; transition: none !important; }
}
@media (forced-colors: active) {
	[part~="bar"] { background: Highlight; }
	[part~="track"] { border: 1px solid CanvasText; }
}
`;
