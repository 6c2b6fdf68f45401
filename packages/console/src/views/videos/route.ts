import { createRoute } from "@tanstack/react-router";
import { lazyView } from "../../loading/lazy-view.tsx";
import { domainRoute } from "../../routes/domain.tsx";
import { textSearch } from "../../routes/text-search.ts";

export const videosRoute = createRoute({
	getParentRoute: () => domainRoute,
	path: "videos",
	validateSearch: textSearch("state", "search", "external_ref", "uploader_ref", "metadata_key", "metadata_value"),
	...lazyView("Videos", () => import("./view.tsx"), "Videos"),
});
