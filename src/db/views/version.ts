/** Raised with every change of the SQL in this folder: `marts` only goes forward, whichever program is started last. */
export const viewsVersion = 8;
