import { createRoute } from "@tanstack/react-router";
import { lazyView } from "../../loading/lazy-view.tsx";
import { domainRoute } from "../../routes/domain.tsx";
import { textSearch } from "../../routes/text-search.ts";

export const webhooksRoute = createRoute({
	getParentRoute: () => domainRoute,
	path: "webhooks",
	validateSearch: textSearch("status", "type", "video_id", "since"),
	...lazyView("Webhooks", () => import("./view.tsx"), "Webhooks"),
});
