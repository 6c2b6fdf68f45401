import { createRoute } from "@tanstack/react-router";
import { lazyView } from "../../loading/lazy-view.tsx";
import { domainRoute } from "../../routes/domain.tsx";

export const settingsRoute = createRoute({
	getParentRoute: () => domainRoute,
	path: "settings",
	...lazyView("Settings", () => import("./view.tsx"), "Settings"),
});
