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
   * (part of the category id upstream). `+` before a shelf makes it secondary. Below the shelves what they sell; if it
   * is missing, they sell the same as those above:
   * `sizes in grams, millilitres or pieces : pounds for a kilogram, litre or piece : varieties : first ingredients`.
   * `-` stands for the sizes of the kind, or for no ingredients; allergens stand between asterisks.
   */
  readonly lines: string;
}

/**
 * Invented taxonomy of both regions, in the order served. Headings are `# name : weight : kind : inflation`, with a
 * region if only that one has it, or `# name : season` if all its shelves are secondary.
 */
const text = `
# Fresh Food : 14 : grams : 0.06
Fresh Fruit > Apples & Pears > Eating Apples | Cooking Apples # loose
  - : 2.20 : Braeburn, Gala, Pink Lady, Bramley, Granny Smith : Apples
Fresh Fruit > Apples & Pears > Pears # loose
  - : 2.10 : Conference, Rocha, Comice : Pears
Fresh Fruit > Bananas > Bananas | Plantain # loose
  - : 1.10 : Fairtrade, Organic, Ripe & Ready : Bananas
Fresh Fruit > Berries & Cherries > Strawberries | Blueberries | Raspberries & Blackberries
  150 200 227 400 : 9.50 : British, Organic, Sweet, Ripe & Ready : Berries
Fresh Fruit > Citrus Fruit > Oranges | Lemons, Limes & Grapefruit | Easy Peelers # loose
  - : 2.30 : Large, Sweet, Organic, Unwaxed : Citrus Fruit
Fresh Vegetables > Potatoes > Baking Potatoes | New & Baby Potatoes | Sweet Potatoes
  500 750 1000 2000 2500 : 1.20 : Maris Piper, King Edward, Charlotte, Organic : Potatoes
Fresh Vegetables > Carrots & Root Vegetables > Carrots | Parsnips, Swede & Turnip # loose
  - : 0.95 : British, Organic, Washed : Vegetables
Fresh Vegetables > Salad > Lettuce
  100 140 200 : 9.00 : Little Gem, Cos, Iceberg, Mixed Leaf : Lettuce
Fresh Vegetables > Salad > Tomatoes
  250 300 400 650 : 4.40 : Cherry, Vine, Salad, Baby Plum : Tomatoes
Fresh Vegetables > Salad > Cucumber, Celery & Radish
  200 300 400 : 3.20 : British, Crunchy, Organic : Vegetables
Fresh Meat & Poultry > Fresh Chicken > Chicken Breasts # meat
  300 500 650 950 1200 : 7.80 : British, Free Range, Skinless, Corn Fed : Chicken
Fresh Meat & Poultry > Fresh Chicken > Whole Chicken # meat
  1200 1500 1600 2000 : 4.30 : British, Free Range, Garlic & Herb, Extra Large : Chicken
Fresh Meat & Poultry > Fresh Chicken > Drumsticks & Thighs # meat
  500 700 1000 1500 : 3.60 : British, Free Range, Barbecue, Piri Piri : Chicken
Fresh Meat & Poultry > Fresh Beef > Steaks # meat
  200 227 300 454 : 21.00 : Sirloin, Rump, Ribeye, Fillet : Beef
Fresh Meat & Poultry > Fresh Beef > Beef Joints # meat
  800 1000 1500 2000 : 12.50 : Topside, Brisket, Silverside : Beef
Fresh Meat & Poultry > Fresh Beef > Mince & Meatballs # meat
  250 500 750 1000 : 8.60 : Lean 5% Fat, 12% Fat, 20% Fat, Organic : Beef
Fresh Meat & Poultry > Fresh Pork > Chops & Loin # meat
  400 500 700 : 8.20 : British, Thick Cut, Outdoor Bred : Pork
Fresh Meat & Poultry > Fresh Pork > Sausages # meat
  340 400 454 667 : 6.70 : Cumberland, Lincolnshire, Pork & Apple, Chipolata : Pork (75%), Water, Rice Flour
Fresh Meat & Poultry > Fresh Pork > Gammon # meat
  500 750 1250 : 7.40 : Smoked, Unsmoked, Honey Roast : Pork, Salt
Chilled Fish & Seafood > Smoked Fish > Smoked Salmon # meat
  100 120 200 300 : 29.00 : Scottish, Oak Smoked, Trimmings : *Salmon* (Fish), Salt
Chilled Fish & Seafood > Smoked Fish > Kippers & Mackerel # meat
  160 200 250 : 14.00 : Peppered, Smoked, Boneless : *Mackerel* (Fish), Salt
Milk, Butter & Eggs > Milk > Whole Milk # litres
  568 1136 2272 3408 : 0.98 : British, Organic, Filtered, Channel Island, Lactose Free : Whole *Milk*
Milk, Butter & Eggs > Milk > Semi Skimmed Milk # litres
  568 1136 2272 3408 : 0.96 : British, Organic, Filtered, Lactose Free : Semi Skimmed *Milk*
Milk, Butter & Eggs > Milk > Oat & Nut Drinks # litres
  750 1000 : 1.75 : Oat, Barista Oat, Almond, Soya, Coconut : Water, *Oats* (10%), Rapeseed Oil
Milk, Butter & Eggs > Butter & Spreads > Salted Butter
  200 250 500 : 8.20 : British, Organic, Sea Salt Crystals, Slightly : Butter (*Milk*), Salt
Milk, Butter & Eggs > Butter & Spreads > Spreadable | Baking Fats
  250 500 1000 : 6.40 : Original, Lighter, Unsalted, Olive : Butter (*Milk*), Rapeseed Oil, Water
Cheese > Cheddar > Mild Cheddar | Mature Cheddar | Extra Mature Cheddar
  200 350 400 550 850 : 8.40 : British, Grated, Lighter, Sliced, Organic : Cheddar Cheese (*Milk*)
Yogurts > Greek & Natural Yogurts > Greek Style | Natural | Skyr
  150 450 500 1000 : 3.60 : Fat Free, Honey, Strawberry, Vanilla, Natural : Yogurt (*Milk*)
Chilled Desserts > Desserts > Cheesecake | Trifle & Profiteroles | Crème Brûlée_
  200 330 480 600 : 7.00 : Strawberry, Vanilla, Salted Caramel, Lemon : *Milk*, Sugar, *Wheat* Flour

# Bakery : 6 : grams : 0.045
Bread & Rolls > White Bread > Thick Sliced White | Medium Sliced White
  400 800 : 1.65 : Toastie, Farmhouse, Soft, Danish : *Wheat* Flour, Water, Yeast, Salt
Bread & Rolls > Brown & Wholemeal Bread > Wholemeal | Seeded Batch | Rye & Sourdough
  400 500 800 : 2.30 : Multiseed, Malted, Organic, Stoneground : *Wheat* Flour, Water, Seeds, Yeast
Bread & Rolls > Rolls, Baps & Bagels > White Rolls | Brioche | Bagels # count
  4 5 6 8 12 : 0.30 : Soft, Seeded, Burger, Sliced : *Wheat* Flour, Water, Yeast
Cakes & Pastries > Sharing Cakes > Chocolate Cakes | Fruit Cakes | Loaf Cakes
  300 400 550 800 : 6.80 : Celebration, Iced, Family, Luxury : Sugar, *Wheat* Flour, *Egg*
Cakes & Pastries > Croissants & Pains au Chocolat > Croissants | Pain au Chocolat # count
  2 4 6 8 : 0.42 : All Butter, Mini, Almond : *Wheat* Flour, Butter (*Milk*)
Cakes & Pastries > Desserts > Tarts | Doughnuts & Cookies
  160 200 300 400 : 7.60 : Jam, Custard, Chocolate Chip, Bakewell : *Wheat* Flour, Sugar, Palm Oil
Free From Bakery > Free From Bread > Gluten Free Loaves | +Gluten Free Rolls
  300 400 535 : 6.20 : White, Brown, Seeded : Water, Rice Flour, *Egg*

# Frozen : 8 : grams : 0.02
Frozen Vegetables > Peas & Sweetcorn > Garden Peas | Petits Pois | Sweetcorn
  500 750 910 1000 : 2.00 : British, Organic, Supersweet, Steam : Peas
Frozen Chips, Potatoes & Rice > Chips > Straight Cut Chips | Crinkle Cut Chips | Sweet Potato Fries
  750 900 1000 1500 : 2.50 : Oven, Home Style, Triple Cooked, Crispy : Potatoes, Sunflower Oil
Frozen Fish & Seafood > Fish Fingers > Cod Fish Fingers | Haddock Fish Fingers
  280 300 420 480 : 8.20 : Breaded, Gluten Free, Jumbo, Battered : *Cod* (Fish) (58%), *Wheat* Flour
Frozen Fish & Seafood > Prawns > Raw Prawns | Cooked Prawns # meat
  150 180 225 400 : 22.00 : King, Jumbo, Peeled, Black Tiger : *Prawns* (Crustaceans)
Frozen Ready Meals > Italian > Lasagne | Cannelloni
  350 400 800 1200 : 5.20 : Beef, Vegetable, Spinach & Ricotta : Tomato, Pasta (*Wheat*), *Milk*
Frozen Pizza > Thin & Crispy > Margherita | Pepperoni | Meat Feast
  260 310 340 420 : 7.40 : Thin, Deep Pan, Stonebaked, Stuffed Crust : *Wheat* Flour, Mozzarella (*Milk*), Tomato
Ice Cream & Lollies > Ice Cream Tubs > Vanilla | Chocolate | Salted Caramel # litres
  460 500 900 2000 : 4.40 : Soft Scoop, Luxury, Clotted Cream, Vegan : Skimmed *Milk*, Sugar, Glucose Syrup
Ice Cream & Lollies > Lollies > Fruit Lollies | Milk Lollies # litres
  300 440 600 : 4.00 : Strawberry, Orange, Rainbow, Mini : Water, Sugar, Fruit Juice
Desserts > Desserts > Gateaux | Apple Pies & Crumbles
  350 500 800 : 4.60 : Black Forest, Bramley, Family : Sugar, *Wheat* Flour, Apple

# Food Cupboard : 16 : grams : 0.05
Breakfast Cereals > Wheat & Bran > Wheat Biscuits | Bran Flakes | Malted Wheats
  430 500 720 750 1000 : 3.80 : Original, Wholegrain, Honey, No Added Sugar
  : Wholegrain *Wheat*, Malted *Barley* Extract
Breakfast Cereals > Oats & Porridge > Rolled Oats | Porridge Pots | Granola & Muesli
  500 750 1000 1500 : 3.40 : Scottish, Organic, Fruit & Nut, Jumbo : Wholegrain *Oats*
Tins, Cans & Packets > Tinned Beans & Pulses > Baked Beans | Chickpeas & Lentils | Kidney Beans # drained
  200 400 415 : 2.30 : Original, Reduced Sugar, Organic, In Water : Beans, Tomatoes, Water
Tins, Cans & Packets > Tinned Fish > Tuna Chunks | Sardines | Mackerel Fillets # drained
  110 120 125 145 : 9.20 : In Brine, In Sunflower Oil, In Spring Water, In Tomato Sauce : *Tuna* (Fish), Water, Salt
Tins, Cans & Packets > Tinned Fruit > Peaches | Pineapple | Fruit Cocktail # drained
  220 411 415 435 : 3.40 : In Juice, In Syrup, Slices, Chunks : Fruit, Fruit Juice
Tins, Cans & Packets > Soup > Tomato Soup | Chicken Soup | Broths
  400 560 600 : 3.00 : Cream of, Chunky, Vegetable, Lentil : Water, Tomatoes, *Milk*
Pasta, Rice & Noodles > Dried Pasta > Spaghetti | Fusilli & Penne | Lasagne Sheets
  375 500 1000 : 2.10 : Wholewheat, Quick Cook, Bronze Die, Organic : Durum *Wheat* Semolina
Pasta, Rice & Noodles > Rice > Basmati | Long Grain | Microwave Rice
  250 500 1000 2000 : 3.20 : Easy Cook, Brown, Wholegrain, Egg Fried : Rice
Cooking Ingredients > Herbs & Spices > Black Pepper | Paprika | Chilli & Cumin # spice
  38 42 50 80 100 : 31.00 : Ground, Smoked, Whole, Organic : Spice
Cooking Ingredients > Oils > Olive Oil | Sunflower & Rapeseed Oil # litres
  250 500 750 1000 : 8.20 : Extra Virgin, Mild, Cold Pressed, Everyday : Oil
Cooking Sauces & Meal Kits > Italian Sauces > Tomato Pasta Sauce | Pesto
  190 350 500 : 4.80 : Basil, Roasted Garlic, Red Pepper, Chilli : Tomatoes, Rapeseed Oil, Onion
Table Sauces, Olives & Chutneys > Ketchup & Brown Sauce > Tomato Ketchup | Brown Sauce
  285 460 555 700 970 : 4.60 : Original, 50% Less Sugar, Squeezy, Organic : Tomatoes, Spirit Vinegar, Sugar
Table Sauces, Olives & Chutneys > Olives > Green Olives | Black Olives # drained
  160 280 340 : 9.00 : Pitted, Stuffed, Sliced, Queen : Olives, Water, Salt
Baking, Desserts & Spreads > Home Baking > Flour | Sugar | Baking Powder & Yeast
  500 1000 1500 : 1.20 : Plain, Self Raising, Strong White, Golden : *Wheat* Flour
Baking, Desserts & Spreads > Jams, Spreads & Honey > Honey | Strawberry Jam | Peanut Butter
  280 340 454 700 : 6.60 : Runny, Smooth, Crunchy, Reduced Sugar : Sugar, Fruit
Crisps, Snacks & Nuts > Sharing Crisps > Ready Salted | Cheese & Onion | Tortilla Chips
  150 175 180 200 : 9.20 : Ridge Cut, Hand Cooked, Sharing, Lightly Salted : Potatoes, Sunflower Oil, Salt
World Foods_ > Polish & Eastern European_ > Pickles & Beetroot | Soups & Broths_
  142 250 340 500 : 6.00 : Traditional, Sweet, Hot, Mild : Vegetables, Spirit Vinegar, Salt
World Foods_ > Caribbean > Seasonings | Jerk & Hot Sauce

# Treats & Snacks : 6 : grams : 0.11
Chocolate > Chocolate Bars & Blocks > Milk Chocolate | Dark Chocolate | White Chocolate
  95 100 180 200 360 : 13.50 : Smooth, Fruit & Nut, Whole Nut, Sea Salt : Sugar, Cocoa Butter, *Milk* Powder
Chocolate > Chocolate Gifts > Boxed Chocolates | Assortments
  150 220 380 660 : 17.00 : Luxury, Caramel, Truffle, Continental : Sugar, Cocoa Mass, *Milk* Powder
Sweets, Mints & Chewing Gum > Sharing Sweets > Jellies & Gums | Liquorice | Fruit Chews
  130 160 180 340 : 8.20 : Sour, Fizzy, Vegan, Mixed : Glucose Syrup, Sugar
Biscuits & Cereal Bars > Everyday Biscuits > Digestives | Shortbread | Custard Creams
  150 250 300 400 : 4.80 : Milk Chocolate, Original, Light, All Butter : *Wheat* Flour, Palm Oil, Sugar
Biscuits & Cereal Bars > Cereal Bars > Oat Bars | Protein Bars # count
  3 4 5 6 12 : 0.62 : Peanut, Fruit & Nut, Chocolate, Raspberry : *Oats*, Glucose Syrup

# Drinks : 11 : litres : 0.03
Soft Drinks > Cola > Cola | Diet & Zero Cola
  330 500 1000 1250 2000 : 1.35 : Original, Zero Sugar, Caffeine Free, Slimline, Cherry
  : Carbonated Water, Sugar, Citric Acid
Soft Drinks > Lemonade & Mixers > Lemonade | Tonic Water | Ginger Ale
Water > Still Water
  500 750 1000 1500 2000 : 0.62 : Spring, Mineral, Lemon & Lime, Sports Cap : Water
Water > Sparkling Water
Juices & Smoothies > Orange Juice > Smooth Orange Juice | Orange Juice with Bits
  900 1000 1350 1750 : 2.40 : Pure, Not From Concentrate, Breakfast : Orange Juice
Squash & Cordial > Squash > Orange Squash | Summer Fruits Squash
  750 1000 1500 2000 : 1.30 : Double Strength, No Added Sugar, High Juice : Water, Fruit Juice
Tea, Coffee & Hot Drinks > Tea > Everyday Tea | Green & Herbal Tea # count
  20 40 80 160 240 : 0.035 : Decaf, Gold, Organic, Breakfast, Peppermint : Tea
Tea, Coffee & Hot Drinks > Coffee > Instant Coffee | Ground Coffee | Coffee Pods # spice
  95 100 200 227 300 : 24.00 : Gold, Decaf, Rich, Colombian, Espresso : Coffee
Wine > Red Wine > Malbec | Merlot | Rioja
  187 750 1500 2250 : 10.60 : Reserva, Chilean, Argentinian, Organic, Barrel Aged : Grapes, *Sulphites*
Wine > White Wine > Sauvignon Blanc | Chardonnay | Pinot Grigio
Wine > Rosé Wine > Rosé
Beer & Cider > Ale & Stout > Pale Ale | Bitter | Stout
  330 440 500 660 : 3.90 : Premium, Craft, Original, Session : Water, Malted *Barley*, Hops
Beer & Cider > Lager > Lager | Low & No Alcohol
Spirits > Gin > London Dry Gin | Flavoured Gin
  500 700 1000 : 25.00 : Small Batch, Pink, Rhubarb, Navy Strength : Gin

# Baby & Toddler : 4 : count : 0.01
Nappies & Pants > Nappies > Size 3 Nappies | Size 4 Nappies | Size 5 Nappies
  24 36 44 72 100 : 0.14 : Ultra Dry, Newborn, Eco, Night : -
Baby Food > Fruit Pouches > 6 Months + | 7 Months + | 10 Months + # spice
  70 90 100 120 : 12.00 : Banana, Apple & Mango, Carrot, Organic Pear : Fruit
Baby Milk > First Infant Milk # grams
  400 700 800 : 15.00 : Stage One, Organic, Goat : Skimmed *Milk* Powder
Baby Wipes & Toiletries > Wipes > Sensitive Wipes | Fragranced Wipes
  56 60 64 120 240 : 0.021 : Pure Water, Biodegradable, Aloe : -

# Health & Beauty : 8 : millilitres : -0.01
Hair Care > Shampoo > Everyday Shampoo | Anti-Dandruff Shampoo | Kids' Shampoo
  200 250 300 400 500 : 9.50 : Coconut, Argan, Repair, Volume, Two in One : -
Hair Care > Conditioner > Everyday Conditioner | Treatments & Masks
Bath, Shower & Soap > Shower Gel > Women's Shower Gel | Men's Shower Gel
  225 250 400 500 : 6.20 : Aloe, Sport, Citrus, Shea, Antibacterial : -
Bath, Shower & Soap > Soap > Bar Soap | Hand Wash
Skincare > Face > Moisturisers | Cleansers, Toners & Wipes
  50 75 150 200 : 42.00 : Day, Night, Sensitive, SPF 30, Hyaluronic : -
Dental > Toothpaste > Whitening | Sensitive | Kids' Toothpaste
  75 100 125 : 30.00 : Mint, Total Care, Fluoride, Gel : -
Medicines & Treatments > Cough, Cold & Flu > Tablets & Capsules | Lozenges # count
  12 16 20 24 32 : 0.14 : Max Strength, Honey & Lemon, Day & Night : -
Deodorants > Roll-Ons & Sticks > Women's | Men's
  50 75 150 200 : 21.00 : 48 Hour, Cotton, Sport, Invisible : -

# Household : 8 : litres : 0.0
Laundry > Washing Liquids & Gels > Bio | Non Bio | Colour Care
  630 750 1000 1430 2000 : 5.20 : Sensitive, Fresh, Lavender, Spring : -
Laundry > Fabric Conditioner > Floral | Sensitive
Cleaning > Washing Up > Washing Up Liquid
  433 500 780 1015 : 2.60 : Original, Lemon, Apple, Sensitive : -
Cleaning > Dishwashing > Dishwasher Tablets # count
  20 30 48 64 : 0.18 : All in One, Lemon, Eco, Max : -
Cleaning > Surface Cleaners > Kitchen Sprays | Bathroom Sprays | Glass & Windows
  500 750 1000 : 3.00 : Antibacterial, Lemon, Eco, Streak Free : -
Toilet Roll & Kitchen Roll > Toilet Roll > 4 & 6 Rolls | 9+ Rolls # count
  2 3 4 6 9 16 24 : 0.52 : Quilted, Soft, Recycled, Extra Long : -
Toilet Roll & Kitchen Roll > Kitchen Roll > Kitchen Roll # count
Food Storage > Foil, Film & Bags > Foil | Cling Film | Food Bags # each
  - : 2.20 : Strong, Wide, Recycled, Easy Tear : -

# Pets : 4 : grams : 0.035
Dog Food & Accessories > Wet Dog Food > Tins | Pouches | Trays
  100 150 400 800 1200 : 4.20 : Beef, Chicken, In Jelly, In Gravy, Puppy : Meat and Animal Derivatives (14%)
Dog Food & Accessories > Treats & Chews > Dental Sticks | Biscuits
  180 270 400 1000 : 8.40 : Small Dog, Marrowbone, Daily : Cereals, Meat and Animal Derivatives
Cat Food & Accessories > Dry Cat Food > Adult | Kitten | Senior
  340 800 1500 2000 4000 : 4.80 : Chicken, Salmon, Tuna, Indoor : Cereals, Meat and Animal Derivatives
Cat Food & Accessories > Litter > Clumping Litter | Non Clumping Litter
  5000 10000 : 0.95 : Wood, Clay, Odour Control : -

# Home & Ents : 6 : each : -0.02
Kitchen > Cookware > Frying Pans | Saucepans | Oven Trays_
  - : 16.00 : 20cm Non Stick, 24cm Non Stick, 28cm Cast, Stainless Steel : -
Kitchen > Small Appliances > Kettles | Toasters
  - : 34.00 : Cordless, Four Slice, Rapid Boil, Brushed Steel : -
Stationery > Pens & Pencils > Ballpoint Pens | Colouring Pencils
  - : 2.60 : Blue, Assorted, Twelve, Retractable : -
Greeting Cards & Party > Party > Balloons | Paper Plates & Napkins
  - : 2.80 : Birthday, Rainbow, Gold, Recyclable : -
Books, DVDs & Games > What's Next? > Puzzles & Quizzes? | Paperbacks
  - : 6.50 : Crossword, Bestseller, Summer, Sudoku : -

# Clothing & Accessories : 3 : each : -0.03
Women > Socks & Tights > Socks | Tights
  - : 7.50 : Five Pairs, Cotton Rich, Black, School, Striped : -
Men > Socks & Underwear > Socks | Shorts
Kids > Boys > Socks | Shorts
Kids > Girls > Socks | Shorts

# Marketplace : 5 : marketplace : -0.04 : uk
Top Deals > Garden & Outdoor > Sheds & Storage
  - : 160.00 : Large, Weatherproof, Grey, Flat Packed : -
Top Deals > Garden & Outdoor > Hoses & Watering
  - : 24.00 : Adjustable, Compact, Warm White, Retractable : -
Electricals > Headphones & Speakers > Wireless Headphones | Bluetooth Speakers
  - : 45.00 : Noise Cancelling, Sport, Portable, Mini : -
Homeware > Lighting > Table Lamps | LED Bulbs & Strip Lights
  - : 24.00 : Adjustable, Compact, Warm White, Retractable : -
Sport, Leisure & Travel Equipment > Outdoor Furniture, Parasols & Entertaining >
  Rattan Effect Corner Sofas & Adjustable Dining Sets
  - : 160.00 : Large, Weatherproof, Grey, Flat Packed : -
Sport, Leisure & Travel Equipment > Outdoor Furniture, Parasols & Entertaining >
  Weatherproof Cushions, Replacement Covers & Throws
  - : 28.00 : Pair of, Striped, Grey, Quilted : -

# Irish Choice : 5 : grams : 0.055 : ie
Irish Bakery > Soda Bread > Brown Soda Bread | White Soda Bread
  400 600 800 : 3.00 : Buttermilk, Wholemeal, Sliced, Traditional : *Wheat* Flour, Buttermilk (*Milk*)
Irish Meat > Irish Pudding > Black Pudding | White Pudding # meat
  200 280 340 : 8.40 : Clonakilty Style, Sliced, Traditional, Gluten Free : Pork, *Oats*, Onion
Irish Seasonal, Sharing & Celebration Foods > Hampers, Gift Boxes & Artisan Selections >
  Farmhouse Cheese, Chutney & Oatcake Selections for Sharing
  400 600 900 : 24.00 : Classic, Grand, Winter : Cheese (*Milk*), *Oats*
Irish Seasonal, Sharing & Celebration Foods > Hampers, Gift Boxes & Artisan Selections >
  Handmade Chocolates, Fudge & Sea Salted Caramels
  150 250 400 : 31.00 : Milk, Dark, Assorted : Sugar, Cocoa Mass, *Milk*

# Offers & Events : always
Weekly Offers > Price Cuts > This Week | Last Chance
Weekly Offers > Big Pack Savers > Big Packs
Events > Family Film Night > Popcorn, Crisps & Dips | Desserts

# Summer : summer
Barbecue > Barbecue Food > Burgers & Bangers | Buns, Sauces & Salads
Picnic > Picnic > Picnic Drinks | Picnic Bites

# Winter Warmers_ : winter
Comfort Food > Stews & Roasts > Slow Cook | Roast Trimmings
Hot Drinks_ > Hot Drinks_ > Cocoa & Malt
`;

export const taxonomyLines: readonly SuperDepartmentLines[] = text.split(/^# /m).slice(1).map(chapterOf);

function chapterOf(chapter: string): SuperDepartmentLines {
  const [heading = '', ...lines] = chapter.trim().split('\n');
  const [name = '', ...terms] = heading.split(' : ');
  const [weight = 0, kind = 'each', inflation = 0, region = 'both'] = terms.length === 1 ? [] : terms;
  return {
    name,
    weight: Number(weight),
    kind: kind as PackKind,
    regions: region as SuperDepartmentLines['regions'],
    role: terms.length === 1 ? 'secondary' : 'primary',
    season: terms.length === 1 ? (terms[0] as Season) : 'always',
    inflation: Number(inflation),
    lines: lines.join('\n'),
  };
}
