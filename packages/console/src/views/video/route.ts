import { createRoute } from "@tanstack/react-router";
import { lazyView } from "../../loading/lazy-view.tsx";
import { domainRoute } from "../../routes/domain.tsx";

export const videoRoute = createRoute({
	getParentRoute: () => domainRoute,
	path: "videos/$id",
	...lazyView("Video", () => import("./view.tsx"), "Video"),
});
