// Lists in which the same may be more than once, such as the cards of a hand.

/**
 * Takes something out of a list once, and returns whether it was there.
 * @template Each
 * @param {Each[]} list @param {Each} each
 */
export function take(list, each) {
  const place = list.indexOf(each);
  if (place >= 0) list.splice(place, 1);
  return place >= 0;
}

/**
 * Takes all of some things out of a list, or none where one is missing, and returns whether they were there.
 * @template Each
 * @param {Each[]} list @param {Each[]} each
 */
export function takeAll(list, each) {
  const left = [...list];
  if (!each.every((one) => take(left, one))) return false;
  list.splice(0, list.length, ...left);
  return true;
}
