import { createRoute } from "@tanstack/react-router";
import { lazyView } from "../../loading/lazy-view.tsx";
import { domainRoute } from "../../routes/domain.tsx";

export const uploadRoute = createRoute({
	getParentRoute: () => domainRoute,
	path: "upload",
	...lazyView("Upload", () => import("./view.tsx"), "Upload"),
});
