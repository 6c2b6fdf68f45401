import { createRoute } from "@tanstack/react-router";
import { FrontDoor } from "../../frame/front-door.tsx";
import { lazyView } from "../../loading/lazy-view.tsx";
import { rootRoute } from "../../routes/root.tsx";
import { textSearch } from "../../routes/text-search.ts";

/** `back` is where the person was, `reason` why they are here: "disabled". A one-time link has its token after `#`. */
export const signInRoute = createRoute({
	getParentRoute: () => rootRoute,
	path: "/sign-in",
	validateSearch: textSearch("back", "reason"),
	...lazyView("Sign in", () => import("./view.tsx"), "SignIn", FrontDoor),
});
