/** The files of this folder in the order they are applied: what a view reads comes before it. */
export const viewFiles: readonly string[] = [];
