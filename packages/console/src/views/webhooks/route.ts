import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { domainRoute } from "../../routes/domain.tsx";
import { textSearch } from "../../routes/text-search.ts";

export const webhooksRoute = createRoute({
	getParentRoute: () => domainRoute,
	path: "webhooks",
	validateSearch: textSearch("status", "type", "video_id", "since"),
	component: lazyRouteComponent(() => import("./view.tsx"), "Webhooks"),
});
