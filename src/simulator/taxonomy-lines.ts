import type { PackKind } from './pack.ts';

/** Season of a superDepartment. */
export type Season = 'always' | 'summer' | 'winter';

export interface SuperDepartmentLines {
  readonly name: string;
  readonly weight: number;
  readonly kind: PackKind;
  readonly regions: 'both' | 'uk' | 'ie';
  /** `secondary`: its shelves list products of other superDepartments. */
  readonly role: 'primary' | 'secondary';
  readonly season: Season;
  /** Rise of its prices in a year, as a share: what an index of the department should show. */
  readonly inflation: number;
  /**
   * `department > aisle > shelf | shelf # kind`. An aisle without shelves is a leaf. `_` is a trailing space in a name
   * (part of the category id upstream). `+` before a shelf makes it secondary.
   */
  readonly lines: string;
}

/** Invented taxonomy of both regions, in the order served. */
export const taxonomyLines: readonly SuperDepartmentLines[] = [
  primary(
    'Fresh Food',
    14,
    'grams',
    0.06,
    'both',
    `
Fresh Fruit > Apples & Pears > Eating Apples | Cooking Apples | Pears # loose
Fresh Fruit > Bananas > Bananas | Plantain # loose
Fresh Fruit > Berries & Cherries > Strawberries | Blueberries | Raspberries & Blackberries
Fresh Fruit > Citrus Fruit > Oranges | Lemons, Limes & Grapefruit | Easy Peelers # loose
Fresh Vegetables > Potatoes > Baking Potatoes | New & Baby Potatoes | Sweet Potatoes
Fresh Vegetables > Carrots & Root Vegetables > Carrots | Parsnips, Swede & Turnip # loose
Fresh Vegetables > Salad > Lettuce | Tomatoes | Cucumber, Celery & Radish
Fresh Meat & Poultry > Fresh Chicken > Chicken Breasts | Whole Chicken | Drumsticks & Thighs # meat
Fresh Meat & Poultry > Fresh Beef > Steaks | Beef Joints | Mince & Meatballs # meat
Fresh Meat & Poultry > Fresh Pork > Chops & Loin | Sausages | Gammon # meat
Chilled Fish & Seafood > Smoked Fish > Smoked Salmon | Kippers & Mackerel # meat
Milk, Butter & Eggs > Milk > Whole Milk | Semi Skimmed Milk | Oat & Nut Drinks # litres
Milk, Butter & Eggs > Butter & Spreads > Salted Butter | Spreadable | Baking Fats
Cheese > Cheddar > Mild Cheddar | Mature Cheddar | Extra Mature Cheddar
Yogurts > Greek & Natural Yogurts > Greek Style | Natural | Skyr
Chilled Desserts > Desserts > Cheesecake | Trifle & Profiteroles | Crème Brûlée_`,
  ),
  primary(
    'Bakery',
    6,
    'grams',
    0.045,
    'both',
    `
Bread & Rolls > White Bread > Thick Sliced White | Medium Sliced White
Bread & Rolls > Brown & Wholemeal Bread > Wholemeal | Seeded Batch | Rye & Sourdough
Bread & Rolls > Rolls, Baps & Bagels > White Rolls | Brioche | Bagels # count
Cakes & Pastries > Sharing Cakes > Chocolate Cakes | Fruit Cakes | Loaf Cakes
Cakes & Pastries > Croissants & Pains au Chocolat > Croissants | Pain au Chocolat # count
Cakes & Pastries > Desserts > Tarts | Doughnuts & Cookies
Free From Bakery > Free From Bread > Gluten Free Loaves | +Gluten Free Rolls`,
  ),
  primary(
    'Frozen',
    8,
    'grams',
    0.02,
    'both',
    `
Frozen Vegetables > Peas & Sweetcorn > Garden Peas | Petits Pois | Sweetcorn
Frozen Chips, Potatoes & Rice > Chips > Straight Cut Chips | Crinkle Cut Chips | Sweet Potato Fries
Frozen Fish & Seafood > Fish Fingers > Cod Fish Fingers | Haddock Fish Fingers
Frozen Fish & Seafood > Prawns > Raw Prawns | Cooked Prawns # meat
Frozen Ready Meals > Italian > Lasagne | Cannelloni
Frozen Pizza > Thin & Crispy > Margherita | Pepperoni | Meat Feast
Ice Cream & Lollies > Ice Cream Tubs > Vanilla | Chocolate | Salted Caramel # litres
Ice Cream & Lollies > Lollies > Fruit Lollies | Milk Lollies # litres
Desserts > Desserts > Gateaux | Apple Pies & Crumbles`,
  ),
  primary(
    'Food Cupboard',
    16,
    'grams',
    0.05,
    'both',
    `
Breakfast Cereals > Wheat & Bran > Wheat Biscuits | Bran Flakes | Malted Wheats
Breakfast Cereals > Oats & Porridge > Rolled Oats | Porridge Pots | Granola & Muesli
Tins, Cans & Packets > Tinned Beans & Pulses > Baked Beans | Chickpeas & Lentils | Kidney Beans # drained
Tins, Cans & Packets > Tinned Fish > Tuna Chunks | Sardines | Mackerel Fillets # drained
Tins, Cans & Packets > Tinned Fruit > Peaches | Pineapple | Fruit Cocktail # drained
Tins, Cans & Packets > Soup > Tomato Soup | Chicken Soup | Broths
Pasta, Rice & Noodles > Dried Pasta > Spaghetti | Fusilli & Penne | Lasagne Sheets
Pasta, Rice & Noodles > Rice > Basmati | Long Grain | Microwave Rice
Cooking Ingredients > Herbs & Spices > Black Pepper | Paprika | Chilli & Cumin # spice
Cooking Ingredients > Oils > Olive Oil | Sunflower & Rapeseed Oil # litres
Cooking Sauces & Meal Kits > Italian Sauces > Tomato Pasta Sauce | Pesto
Table Sauces, Olives & Chutneys > Ketchup & Brown Sauce > Tomato Ketchup | Brown Sauce
Table Sauces, Olives & Chutneys > Olives > Green Olives | Black Olives # drained
Baking, Desserts & Spreads > Home Baking > Flour | Sugar | Baking Powder & Yeast
Baking, Desserts & Spreads > Jams, Spreads & Honey > Honey | Strawberry Jam | Peanut Butter
Crisps, Snacks & Nuts > Sharing Crisps > Ready Salted | Cheese & Onion | Tortilla Chips
World Foods_ > Polish & Eastern European_ > Pickles & Beetroot | Soups & Broths_
World Foods_ > Caribbean > Seasonings | Jerk & Hot Sauce`,
  ),
  primary(
    'Treats & Snacks',
    6,
    'grams',
    0.11,
    'both',
    `
Chocolate > Chocolate Bars & Blocks > Milk Chocolate | Dark Chocolate | White Chocolate
Chocolate > Chocolate Gifts > Boxed Chocolates | Assortments
Sweets, Mints & Chewing Gum > Sharing Sweets > Jellies & Gums | Liquorice | Fruit Chews
Biscuits & Cereal Bars > Everyday Biscuits > Digestives | Shortbread | Custard Creams
Biscuits & Cereal Bars > Cereal Bars > Oat Bars | Protein Bars # count`,
  ),
  primary(
    'Drinks',
    11,
    'litres',
    0.03,
    'both',
    `
Soft Drinks > Cola > Cola | Diet & Zero Cola
Soft Drinks > Lemonade & Mixers > Lemonade | Tonic Water | Ginger Ale
Water > Still Water
Water > Sparkling Water
Juices & Smoothies > Orange Juice > Smooth Orange Juice | Orange Juice with Bits
Squash & Cordial > Squash > Orange Squash | Summer Fruits Squash
Tea, Coffee & Hot Drinks > Tea > Everyday Tea | Green & Herbal Tea # count
Tea, Coffee & Hot Drinks > Coffee > Instant Coffee | Ground Coffee | Coffee Pods # spice
Wine > Red Wine > Malbec | Merlot | Rioja
Wine > White Wine > Sauvignon Blanc | Chardonnay | Pinot Grigio
Wine > Rosé Wine > Rosé
Beer & Cider > Ale & Stout > Pale Ale | Bitter | Stout
Beer & Cider > Lager > Lager | Low & No Alcohol
Spirits > Gin > London Dry Gin | Flavoured Gin`,
  ),
  primary(
    'Baby & Toddler',
    4,
    'count',
    0.01,
    'both',
    `
Nappies & Pants > Nappies > Size 3 Nappies | Size 4 Nappies | Size 5 Nappies
Baby Food > Fruit Pouches > 6 Months + | 7 Months + | 10 Months + # spice
Baby Milk > First Infant Milk # grams
Baby Wipes & Toiletries > Wipes > Sensitive Wipes | Fragranced Wipes`,
  ),
  primary(
    'Health & Beauty',
    8,
    'millilitres',
    -0.01,
    'both',
    `
Hair Care > Shampoo > Everyday Shampoo | Anti-Dandruff Shampoo | Kids' Shampoo
Hair Care > Conditioner > Everyday Conditioner | Treatments & Masks
Bath, Shower & Soap > Shower Gel > Women's Shower Gel | Men's Shower Gel
Bath, Shower & Soap > Soap > Bar Soap | Hand Wash
Skincare > Face > Moisturisers | Cleansers, Toners & Wipes
Dental > Toothpaste > Whitening | Sensitive | Kids' Toothpaste
Medicines & Treatments > Cough, Cold & Flu > Tablets & Capsules | Lozenges # count
Deodorants > Roll-Ons & Sticks > Women's | Men's`,
  ),
  primary(
    'Household',
    8,
    'litres',
    0.0,
    'both',
    `
Laundry > Washing Liquids & Gels > Bio | Non Bio | Colour Care
Laundry > Fabric Conditioner > Floral | Sensitive
Cleaning > Washing Up > Washing Up Liquid
Cleaning > Dishwashing > Dishwasher Tablets # count
Cleaning > Surface Cleaners > Kitchen Sprays | Bathroom Sprays | Glass & Windows
Toilet Roll & Kitchen Roll > Toilet Roll > 4 & 6 Rolls | 9+ Rolls # count
Toilet Roll & Kitchen Roll > Kitchen Roll > Kitchen Roll # count
Food Storage > Foil, Film & Bags > Foil | Cling Film | Food Bags # each`,
  ),
  primary(
    'Pets',
    4,
    'grams',
    0.035,
    'both',
    `
Dog Food & Accessories > Wet Dog Food > Tins | Pouches | Trays
Dog Food & Accessories > Treats & Chews > Dental Sticks | Biscuits
Cat Food & Accessories > Dry Cat Food > Adult | Kitten | Senior
Cat Food & Accessories > Litter > Clumping Litter | Non Clumping Litter`,
  ),
  primary(
    'Home & Ents',
    6,
    'each',
    -0.02,
    'both',
    `
Kitchen > Cookware > Frying Pans | Saucepans | Oven Trays_
Kitchen > Small Appliances > Kettles | Toasters
Stationery > Pens & Pencils > Ballpoint Pens | Colouring Pencils
Greeting Cards & Party > Party > Balloons | Paper Plates & Napkins
Books, DVDs & Games > What's Next? > Puzzles & Quizzes? | Paperbacks`,
  ),
  primary(
    'Clothing & Accessories',
    3,
    'each',
    -0.03,
    'both',
    `
Women > Socks & Tights > Socks | Tights
Men > Socks & Underwear > Socks | Shorts
Kids > Boys > Socks | Shorts
Kids > Girls > Socks | Shorts`,
  ),
  primary(
    'Marketplace',
    5,
    'marketplace',
    -0.04,
    'uk',
    `
Top Deals > Garden & Outdoor > Sheds & Storage | Hoses & Watering
Electricals > Headphones & Speakers > Wireless Headphones | Bluetooth Speakers
Homeware > Lighting > Table Lamps | LED Bulbs & Strip Lights
Sport, Leisure & Travel Equipment > Outdoor Furniture, Parasols & Entertaining >
  Rattan Effect Corner Sofas & Adjustable Dining Sets | Weatherproof Cushions, Replacement Covers & Throws`,
  ),
  primary(
    'Irish Choice',
    5,
    'grams',
    0.055,
    'ie',
    `
Irish Bakery > Soda Bread > Brown Soda Bread | White Soda Bread
Irish Meat > Irish Pudding > Black Pudding | White Pudding # meat
Irish Seasonal, Sharing & Celebration Foods > Hampers, Gift Boxes & Artisan Selections >
  Farmhouse Cheese, Chutney & Oatcake Selections for Sharing | Handmade Chocolates, Fudge & Sea Salted Caramels`,
  ),
  secondary(
    'Offers & Events',
    'always',
    `
Weekly Offers > Price Cuts > This Week | Last Chance
Weekly Offers > Big Pack Savers > Big Packs
Events > Family Film Night > Popcorn, Crisps & Dips | Desserts`,
  ),
  secondary(
    'Summer',
    'summer',
    `
Barbecue > Barbecue Food > Burgers & Bangers | Buns, Sauces & Salads
Picnic > Picnic > Picnic Drinks | Picnic Bites`,
  ),
  secondary(
    'Winter Warmers_',
    'winter',
    `
Comfort Food > Stews & Roasts > Slow Cook | Roast Trimmings
Hot Drinks_ > Hot Drinks_ > Cocoa & Malt`,
  ),
];

function primary(
  name: string,
  weight: number,
  kind: PackKind,
  inflation: number,
  regions: SuperDepartmentLines['regions'],
  lines: string,
): SuperDepartmentLines {
  return { name, weight, kind, inflation, regions, role: 'primary', season: 'always', lines };
}

function secondary(name: string, season: Season, lines: string): SuperDepartmentLines {
  return { name, weight: 0, kind: 'each', inflation: 0, regions: 'both', role: 'secondary', season, lines };
}
