import { useState } from "react";

const nameOf = (domainId: string) => `reelmill-key-copied:${domainId}`;

/** Whether the person has the domain's key. Only they know: the browser remembers that they said so. */
export function useCopiedKey(domainId: string): readonly [copied: boolean, note: () => void] {
	const [copied, setCopied] = useState(() => localStorage.getItem(nameOf(domainId)) !== null);
	return [
		copied,
		() => {
			localStorage.setItem(nameOf(domainId), "yes");
			setCopied(true);
		},
	];
}
