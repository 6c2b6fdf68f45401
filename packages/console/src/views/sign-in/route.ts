import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../routes/root.tsx";
import { textSearch } from "../../routes/text-search.ts";

/** `back` is where the person was, `reason` why they are here: "disabled". A one-time link has its token after `#`. */
export const signInRoute = createRoute({
	getParentRoute: () => rootRoute,
	path: "/sign-in",
	validateSearch: textSearch("back", "reason"),
	component: lazyRouteComponent(() => import("./view.tsx"), "SignIn"),
});
