/**
 * Keeps the box over the time line within the player, and its picture up to date. media-chrome asks for the picture and
 * places the box when the pointer moves: what is loaded after that would be shown at the next move, partly outside.
 * Returns a function that asks for the picture again.
 */
export function keepPreview(timeRange: HTMLElement): () => void {
	let pointer: PointerEvent | undefined;
	timeRange.addEventListener("pointermove", (event) => {
		if (event.isTrusted) pointer = event;
	});
	timeRange.addEventListener("pointerleave", () => {
		pointer = undefined;
	});
	const place = () => {
		// Another pointer, or a pressed one, would seek.
		if (pointer?.pointerType !== "mouse" || pointer.buttons !== 0) return;
		const { clientX, clientY, pointerType } = pointer;
		timeRange.dispatchEvent(
			new PointerEvent("pointermove", { clientX, clientY, pointerType, bubbles: true, composed: true }),
		);
	};
	// The picture shows what the time says.
	const picture = timeRange.shadowRoot?.querySelector("media-preview-thumbnail")?.shadowRoot?.querySelector("img");
	picture?.setAttribute("alt", "");
	const box = timeRange.shadowRoot?.querySelector('[part~="preview-box"]');
	if (box) new ResizeObserver(place).observe(box);
	return () => {
		const seconds = timeRange.getAttribute("mediapreviewtime");
		if (!pointer || seconds === null) return;
		const detail = Number(seconds);
		timeRange.dispatchEvent(new CustomEvent("mediapreviewrequest", { detail, bubbles: true, composed: true }));
	};
}
