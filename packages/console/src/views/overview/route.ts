import { createRoute } from "@tanstack/react-router";
import { lazyView } from "../../loading/lazy-view.tsx";
import { domainRoute } from "../../routes/domain.tsx";

export const overviewRoute = createRoute({
	getParentRoute: () => domainRoute,
	path: "/",
	...lazyView("Overview", () => import("./view.tsx"), "Overview"),
});
