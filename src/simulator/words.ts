/** Invented brands by what they make; loose goods have none. */
const brands = {
  food: [
    ...['Northfold', 'Hartwell & Sons', 'Bramble Lane', "O'Dowd's", 'Casa Fiorelli', 'Kestrel', 'Pasture Gate'],
    ...['Sunny Acre', 'Ember & Oak', 'Tidewater', 'Maple Row', 'Wren', 'Golden Furrow', 'Fjordland', 'Señor Verde'],
    ...['Pip & Co.', 'Moorcroft', 'Millstone', 'Orchard Yard', 'Rowan Tree', 'Saltmarsh', 'Cloverfield', 'Zesto'],
  ],
  drinks: [
    ...['Lumière', 'Alderbrook', 'Copperfield', 'Blue Heron', 'Stonebridge', 'Zesto', 'Orchard Yard'],
    ...['Hartwell & Sons', 'Casa Fiorelli', 'Rowan Tree'],
  ],
  pets: ['Velvet Paw', 'Puddifoot', 'Thistledown', 'Pasture Gate', 'Moorcroft'],
  home: [
    ...['Nimbus', 'Dovetail', 'Quillfeather', 'Umbra', 'Zephyr', 'Yarrow', 'Whitcombe', 'Larkspur', 'Greenhithe'],
    ...['Lumière', 'Puddifoot', 'Thistledown'],
  ],
} as const;

const makes: Readonly<Record<string, keyof typeof brands>> = {
  ...{ 'Fresh Food': 'food', Bakery: 'food', Frozen: 'food', 'Food Cupboard': 'food', 'Treats & Snacks': 'food' },
  ...{ 'Irish Choice': 'food', Drinks: 'drinks', Pets: 'pets' },
};

/** Brands of a department. */
export const brandsOf = (department: string): readonly string[] => brands[makes[department] ?? 'home'];

/** One brand in several spellings, as upstream. */
export const ownBrands: readonly string[] = ['MERIDIAN', 'Meridian', 'MERIDIAN', 'Meridian finest'];
export const plantBrand = 'MERIDIAN PLANT KITCHEN';
/** Ranges of a brand. */
export const ranges = 'Select Classic Signature Heritage Choice Essential Favourite'.split(' ');
