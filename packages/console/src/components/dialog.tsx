import type { ReactNode } from "react";
import { Dialog as AriaDialog } from "react-aria-components/Dialog";
import { Heading } from "react-aria-components/Heading";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import styles from "./dialog.module.css";

type DialogProps = {
	title: ReactNode;
	isOpen: boolean;
	onClose: () => void;
	/** `alertdialog` for what asks before it destroys (default: "dialog"). */
	role?: "dialog" | "alertdialog";
	/** Keeps it open on Escape and on presses beside it, while closing it would lose something (default: false). */
	isHeld?: boolean;
	children: ReactNode;
};

/** A question above the page. Focus stays in it, Escape closes it unless it is held, and focus returns to where it came from. */
export function Dialog({ title, isOpen, onClose, role = "dialog", isHeld = false, children }: DialogProps) {
	return (
		<ModalOverlay
			className={styles.veil ?? ""}
			isOpen={isOpen}
			onOpenChange={(open) => !open && onClose()}
			isDismissable={role === "dialog" && !isHeld}
			isKeyboardDismissDisabled={isHeld}
		>
			<Modal className={styles.modal ?? ""}>
				<AriaDialog role={role} className={styles.dialog ?? ""}>
					<Heading slot="title" level={2}>
						{title}
					</Heading>
					{children}
				</AriaDialog>
			</Modal>
		</ModalOverlay>
	);
}

/** The buttons of a dialog, at its end. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
	<div className={styles.actions}>{children}</div>
);
