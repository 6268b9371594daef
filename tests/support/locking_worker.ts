/** A thread that locks libvips' loaders without pause, as the painter's thread does once at its start. */
import { loadSharp, lockLoaders } from "../../domain/media/images/sharp.ts";

const scope = globalThis as unknown as { postMessage(message: string): void };

const sharp = await loadSharp();
scope.postMessage("locking");
for (;;) lockLoaders(sharp);
