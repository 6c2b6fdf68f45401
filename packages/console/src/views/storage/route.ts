import { createRoute } from "@tanstack/react-router";
import { lazyView } from "../../loading/lazy-view.tsx";
import { domainRoute } from "../../routes/domain.tsx";

export const storageRoute = createRoute({
	getParentRoute: () => domainRoute,
	path: "storage",
	...lazyView("Storage", () => import("./view.tsx"), "Storage"),
});
