import type { NavigateOptions } from "@tanstack/react-router";
import { useCall } from "../api/api.tsx";
import { useIsAdmin, useSession } from "../api/session.tsx";
import { domainViews, operatorViews } from "./navigation.ts";
import { useCurrentDomain } from "./use-current-domain.ts";

export type PaletteEntry = {
	readonly id: string;
	readonly name: string;
	/** Where it belongs, such as a domain's slug. */
	readonly part: string;
	/** All words by which it is found. */
	readonly words: string;
	readonly target: NavigateOptions;
};

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Things that people look for by what they do, and the view in which it is done. */
const deeds = [
	{ name: "Upload a video", to: "/d/$domain/videos" },
	{ name: "Replay failed webhooks", to: "/d/$domain/webhooks" },
	{ name: "Rotate the webhook secret", to: "/d/$domain/webhooks" },
	{ name: "Send a test event", to: "/d/$domain/webhooks" },
	{ name: "Rotate the API key", to: "/d/$domain/keys" },
	{ name: "Where is my API key?", to: "/d/$domain/keys" },
	{ name: "Change the renditions", to: "/d/$domain/settings" },
] as const;

/** What the palette offers for a text: videos first, then views, deeds and the other domains. */
export function usePaletteEntries(text: string): readonly PaletteEntry[] {
	const { domains } = useSession();
	const isAdmin = useIsAdmin();
	const current = useCurrentDomain();
	const found = useCall(
		"listVideos",
		{ query: { search: text, include: "metadata", limit: 5 } },
		{ enabled: current !== undefined && text.length > 1 && !uuid.test(text) },
	);
	const entries: PaletteEntry[] = [];
	if (current) {
		const params = { domain: current.slug };
		if (uuid.test(text)) entries.push(openVideo(text, current.slug, text, null));
		for (const { id, external_ref: name, metadata } of found.data?.data ?? [])
			entries.push(openVideo(id, current.slug, text, metadata?.title ?? name));
		for (const { name, to, ...rest } of domainViews)
			entries.push(entry(`view ${name}`, name, current.slug, "words" in rest ? rest.words : "", { to, params }));
		for (const { name, to } of deeds) entries.push(entry(`deed ${name}`, name, current.slug, "", { to, params }));
	}
	if (isAdmin)
		for (const { name, to, ...rest } of operatorViews)
			entries.push(entry(`operator ${name}`, name, "Operator", "words" in rest ? rest.words : "", { to }));
	for (const { slug } of domains)
		if (slug !== current?.slug)
			entries.push(entry(`domain ${slug}`, slug, "Domain", "switch", { to: "/d/$domain", params: { domain: slug } }));
	if (current && text !== "" && !uuid.test(text)) entries.push(findVideos(text, current.slug));
	return entries;
}

const entry = (id: string, name: string, part: string, words: string, target: NavigateOptions): PaletteEntry => ({
	id,
	name,
	part,
	words: `${name} ${part} ${words}`,
	target,
});

/** `text` is what was typed and finds this video, so that the list of results keeps it. */
const openVideo = (id: string, slug: string, text: string, name: string | null) =>
	entry(`video ${id}`, `Video ${name ?? id}`, slug, text, {
		to: "/d/$domain/videos/$id",
		params: { domain: slug, id },
	});

const findVideos = (text: string, slug: string) =>
	entry("videos", `Videos that begin with ${text}`, slug, text, {
		to: "/d/$domain/videos",
		params: { domain: slug },
		search: { search: text },
	} as NavigateOptions);
