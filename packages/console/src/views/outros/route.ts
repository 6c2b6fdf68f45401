import { createRoute } from "@tanstack/react-router";
import { lazyView } from "../../loading/lazy-view.tsx";
import { domainRoute } from "../../routes/domain.tsx";

export const outrosRoute = createRoute({
	getParentRoute: () => domainRoute,
	path: "outros",
	...lazyView("Outros", () => import("./view.tsx"), "Outros"),
});
