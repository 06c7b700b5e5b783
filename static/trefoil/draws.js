// Made by manage.py docs: what each game draws by chance (games/engine/draws.py).
/** @type {Record<string, import("./dealing.js").Declared[]>} */
export const DRAWS = {
  "scamper@1": [
    {"draw": "shuffle", "purpose": "first-dealer/draw/#", "pack": "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS JK JK"},
    {"draw": "shuffle", "purpose": "round/#/deal", "pack": "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS JK JK", "packs": {"option": "packs", "seats": {"2": 2, "3": 2, "4": 3, "5": 3, "6": 3, "7": 4, "8": 4, "9": 6, "10": 6}}, "without": {"cards": "JK", "option": "wild_cards", "value": "none"}, "hands": [{"option": "hand_size"}]},
    {"draw": "shuffle", "purpose": "round/#/deal/attempt/#", "pack": "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS JK JK", "packs": {"option": "packs", "seats": {"2": 2, "3": 2, "4": 3, "5": 3, "6": 3, "7": 4, "8": 4, "9": 6, "10": 6}}, "without": {"cards": "JK", "option": "wild_cards", "value": "none"}, "hands": [{"option": "hand_size"}]},
    {"draw": "shuffle", "purpose": "round/#/pack/#", "pack": "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS JK JK", "without": {"cards": "JK", "option": "wild_cards", "value": "none"}},
  ],
  "scoops@1": [
    {"draw": "below", "purpose": "first-seat", "bound": {"seats": {"2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9}}},
    {"draw": "shuffle", "purpose": "round/#/deal", "pack": "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS JK JK", "packs": {"seats": {"2": 1, "3": 1, "4": 2, "5": 2, "6": 2, "7": 3, "8": 3, "9": 3}}, "hands": [8]},
    {"draw": "dice", "purpose": "round/#/dice", "count": 4},
  ],
  "scram@1": [
    {"draw": "below", "purpose": "first-seat", "bound": {"seats": {"4": 4, "6": 6}}},
    {"draw": "shuffle", "purpose": "round/#/deal", "pack": "1 2 3 4 5 6 7 8 9 10 11 12 13 =", "each": {"seats": {"3": 4, "4": 4, "6": 5}}, "hands": [{"seats": {"3": 8, "4": 5, "6": 5}}, 5], "places": true},
  ],
};
