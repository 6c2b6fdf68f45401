import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { domainRoute } from "../../routes/domain.tsx";

export const videoRoute = createRoute({
	getParentRoute: () => domainRoute,
	path: "videos/$id",
	component: lazyRouteComponent(() => import("./view.tsx"), "Video"),
});
