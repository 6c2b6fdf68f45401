import { useEffect } from "react";

export const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes("Files") ?? false;

/** Keeps the browser from leaving the page for a file that is dropped where nothing takes it. */
export function useRefusedDrops(): void {
	useEffect(() => {
		const refuse = (event: DragEvent) => {
			const isFileField = event.target instanceof HTMLInputElement && event.target.type === "file";
			if (event.defaultPrevented || isFileField || !hasFiles(event)) return;
			event.preventDefault();
			if (event.dataTransfer) event.dataTransfer.dropEffect = "none";
		};
		window.addEventListener("dragover", refuse);
		window.addEventListener("drop", refuse);
		return () => {
			window.removeEventListener("dragover", refuse);
			window.removeEventListener("drop", refuse);
		};
	}, []);
}
