import { Film } from "lucide-react";
import { formatLength } from "../format/amounts.ts";
import styles from "./thumbnail.module.css";
import { useDelivered, useObjectUrl } from "./use-delivered.ts";

type ThumbnailProps = {
	url: string | null;
	/** The video's length, which stands on it; null if it is not known. */
	seconds: number | null;
};

/** A video's picture with its length on it. A shape stands for a picture that there is not, or not yet. */
export function Thumbnail({ url, seconds }: ThumbnailProps) {
	const address = useObjectUrl(useDelivered(url).data);
	return (
		<span className={styles.thumbnail}>
			{address === undefined ? <Film size={20} aria-hidden /> : <img src={address} alt="" />}
			{seconds !== null && <span className={styles.length}>{formatLength(seconds)}</span>}
		</span>
	);
}
