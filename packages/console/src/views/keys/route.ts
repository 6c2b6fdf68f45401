import { createRoute } from "@tanstack/react-router";
import { lazyView } from "../../loading/lazy-view.tsx";
import { domainRoute } from "../../routes/domain.tsx";

export const keysRoute = createRoute({
	getParentRoute: () => domainRoute,
	path: "keys",
	...lazyView("Keys", () => import("./view.tsx"), "Keys"),
});
