// How long to wait before what failed is tried again.

const FIRST = 1000;
const LONGEST = 30000;

/**
 * Returns the milliseconds until the next try: twice as many after each failure, and fewer by chance, so that not all
 * pages of a hall come back at the same moment.
 * @param {number} failures @param {number} chance from 0 to 1
 */
export const waitAfter = (failures, chance) => Math.min(LONGEST, FIRST * 2 ** failures) * (0.5 + chance / 2);
