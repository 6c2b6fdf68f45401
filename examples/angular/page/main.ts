import { bootstrapApplication } from "@angular/platform-browser";
import "@reelmill/elements";
import { VideoList } from "./video-list";

await bootstrapApplication(VideoList);
