/** What a shelf sells: realistic sizes, prices and varieties. */
export interface ShelfGoods {
  /** Grams, millilitres or pieces; null: those of its kind. */
  readonly sizes: readonly number[] | null;
  /** Pence for a kilogram, a litre or a piece. */
  readonly pence: number;
  readonly varieties: readonly string[];
  /** First ingredients; null: not food. */
  readonly made: readonly string[] | null;
}

/**
 * Shelves that sell the same; below them `sizes | pounds for a kilogram, litre or piece | varieties`, then the
 * ingredients. `-` stands for the sizes of the kind, or for no ingredients.
 */
const lines = `
Eating Apples, Cooking Apples
  - | 2.20 | Braeburn, Gala, Pink Lady, Bramley, Granny Smith
  Apples
Pears
  - | 2.10 | Conference, Rocha, Comice
  Pears
Bananas, Plantain
  - | 1.10 | Fairtrade, Organic, Ripe & Ready
  Bananas
Strawberries, Blueberries, Raspberries & Blackberries
  150 200 227 400 | 9.50 | British, Organic, Sweet, Ripe & Ready
  Berries
Oranges, Lemons, Limes & Grapefruit, Easy Peelers
  - | 2.30 | Large, Sweet, Organic, Unwaxed
  Citrus Fruit
Baking Potatoes, New & Baby Potatoes, Sweet Potatoes
  500 750 1000 2000 2500 | 1.20 | Maris Piper, King Edward, Charlotte, Organic
  Potatoes
Carrots, Parsnips, Swede & Turnip
  - | 0.95 | British, Organic, Washed
  Vegetables
Lettuce
  100 140 200 | 9.00 | Little Gem, Cos, Iceberg, Mixed Leaf
  Lettuce
Tomatoes
  250 300 400 650 | 4.40 | Cherry, Vine, Salad, Baby Plum
  Tomatoes
Cucumber, Celery & Radish
  200 300 400 | 3.20 | British, Crunchy, Organic
  Vegetables
Chicken Breasts
  300 500 650 950 1200 | 7.80 | British, Free Range, Skinless, Corn Fed
  Chicken
Whole Chicken
  1200 1500 1600 2000 | 4.30 | British, Free Range, Garlic & Herb, Extra Large
  Chicken
Drumsticks & Thighs
  500 700 1000 1500 | 3.60 | British, Free Range, Barbecue, Piri Piri
  Chicken
Steaks
  200 227 300 454 | 21.00 | Sirloin, Rump, Ribeye, Fillet
  Beef
Beef Joints
  800 1000 1500 2000 | 12.50 | Topside, Brisket, Silverside
  Beef
Mince & Meatballs
  250 500 750 1000 | 8.60 | Lean 5% Fat, 12% Fat, 20% Fat, Organic
  Beef
Chops & Loin
  400 500 700 | 8.20 | British, Thick Cut, Outdoor Bred
  Pork
Sausages
  340 400 454 667 | 6.70 | Cumberland, Lincolnshire, Pork & Apple, Chipolata
  Pork (75%), Water, Rice Flour
Gammon
  500 750 1250 | 7.40 | Smoked, Unsmoked, Honey Roast
  Pork, Salt
Smoked Salmon
  100 120 200 300 | 29.00 | Scottish, Oak Smoked, Trimmings
  <strong>Salmon</strong> (Fish), Salt
Kippers & Mackerel
  160 200 250 | 14.00 | Peppered, Smoked, Boneless
  <strong>Mackerel</strong> (Fish), Salt
Whole Milk
  568 1136 2272 3408 | 0.98 | British, Organic, Filtered, Channel Island, Lactose Free
  Whole <strong>Milk</strong>
Semi Skimmed Milk
  568 1136 2272 3408 | 0.96 | British, Organic, Filtered, Lactose Free
  Semi Skimmed <strong>Milk</strong>
Oat & Nut Drinks
  750 1000 | 1.75 | Oat, Barista Oat, Almond, Soya, Coconut
  Water, <strong>Oats</strong> (10%), Rapeseed Oil
Salted Butter
  200 250 500 | 8.20 | British, Organic, Sea Salt Crystals, Slightly
  Butter (<strong>Milk</strong>), Salt
Spreadable, Baking Fats
  250 500 1000 | 6.40 | Original, Lighter, Unsalted, Olive
  Butter (<strong>Milk</strong>), Rapeseed Oil, Water
Mild Cheddar, Mature Cheddar, Extra Mature Cheddar
  200 350 400 550 850 | 8.40 | British, Grated, Lighter, Sliced, Organic
  Cheddar Cheese (<strong>Milk</strong>)
Greek Style, Natural, Skyr
  150 450 500 1000 | 3.60 | Fat Free, Honey, Strawberry, Vanilla, Natural
  Yogurt (<strong>Milk</strong>)
Cheesecake, Trifle & Profiteroles, Crème Brûlée
  200 330 480 600 | 7.00 | Strawberry, Vanilla, Salted Caramel, Lemon
  <strong>Milk</strong>, Sugar, <strong>Wheat</strong> Flour
Thick Sliced White, Medium Sliced White
  400 800 | 1.65 | Toastie, Farmhouse, Soft, Danish
  <strong>Wheat</strong> Flour, Water, Yeast, Salt
Wholemeal, Seeded Batch, Rye & Sourdough
  400 500 800 | 2.30 | Multiseed, Malted, Organic, Stoneground
  <strong>Wheat</strong> Flour, Water, Seeds, Yeast
White Rolls, Brioche, Bagels
  4 5 6 8 12 | 0.30 | Soft, Seeded, Burger, Sliced
  <strong>Wheat</strong> Flour, Water, Yeast
Chocolate Cakes, Fruit Cakes, Loaf Cakes
  300 400 550 800 | 6.80 | Celebration, Iced, Family, Luxury
  Sugar, <strong>Wheat</strong> Flour, <strong>Egg</strong>
Croissants, Pain au Chocolat
  2 4 6 8 | 0.42 | All Butter, Mini, Almond
  <strong>Wheat</strong> Flour, Butter (<strong>Milk</strong>)
Tarts, Doughnuts & Cookies
  160 200 300 400 | 7.60 | Jam, Custard, Chocolate Chip, Bakewell
  <strong>Wheat</strong> Flour, Sugar, Palm Oil
Gluten Free Loaves
  300 400 535 | 6.20 | White, Brown, Seeded
  Water, Rice Flour, <strong>Egg</strong>
Garden Peas, Petits Pois, Sweetcorn
  500 750 910 1000 | 2.00 | British, Organic, Supersweet, Steam
  Peas
Straight Cut Chips, Crinkle Cut Chips, Sweet Potato Fries
  750 900 1000 1500 | 2.50 | Oven, Home Style, Triple Cooked, Crispy
  Potatoes, Sunflower Oil
Cod Fish Fingers, Haddock Fish Fingers
  280 300 420 480 | 8.20 | Breaded, Gluten Free, Jumbo, Battered
  <strong>Cod</strong> (Fish) (58%), <strong>Wheat</strong> Flour
Raw Prawns, Cooked Prawns
  150 180 225 400 | 22.00 | King, Jumbo, Peeled, Black Tiger
  <strong>Prawns</strong> (Crustaceans)
Lasagne, Cannelloni
  350 400 800 1200 | 5.20 | Beef, Vegetable, Spinach & Ricotta
  Tomato, Pasta (<strong>Wheat</strong>), <strong>Milk</strong>
Margherita, Pepperoni, Meat Feast
  260 310 340 420 | 7.40 | Thin, Deep Pan, Stonebaked, Stuffed Crust
  <strong>Wheat</strong> Flour, Mozzarella (<strong>Milk</strong>), Tomato
Vanilla, Chocolate, Salted Caramel
  460 500 900 2000 | 4.40 | Soft Scoop, Luxury, Clotted Cream, Vegan
  Skimmed <strong>Milk</strong>, Sugar, Glucose Syrup
Fruit Lollies, Milk Lollies
  300 440 600 | 4.00 | Strawberry, Orange, Rainbow, Mini
  Water, Sugar, Fruit Juice
Gateaux, Apple Pies & Crumbles
  350 500 800 | 4.60 | Black Forest, Bramley, Family
  Sugar, <strong>Wheat</strong> Flour, Apple
Wheat Biscuits, Bran Flakes, Malted Wheats
  430 500 720 750 1000 | 3.80 | Original, Wholegrain, Honey, No Added Sugar
  Wholegrain <strong>Wheat</strong>, Malted <strong>Barley</strong> Extract
Rolled Oats, Porridge Pots, Granola & Muesli
  500 750 1000 1500 | 3.40 | Scottish, Organic, Fruit & Nut, Jumbo
  Wholegrain <strong>Oats</strong>
Baked Beans, Chickpeas & Lentils, Kidney Beans
  200 400 415 | 2.30 | Original, Reduced Sugar, Organic, In Water
  Beans, Tomatoes, Water
Tuna Chunks, Sardines, Mackerel Fillets
  110 120 125 145 | 9.20 | In Brine, In Sunflower Oil, In Spring Water, In Tomato Sauce
  <strong>Tuna</strong> (Fish), Water, Salt
Peaches, Pineapple, Fruit Cocktail
  220 411 415 435 | 3.40 | In Juice, In Syrup, Slices, Chunks
  Fruit, Fruit Juice
Tomato Soup, Chicken Soup, Broths
  400 560 600 | 3.00 | Cream of, Chunky, Vegetable, Lentil
  Water, Tomatoes, <strong>Milk</strong>
Spaghetti, Fusilli & Penne, Lasagne Sheets
  375 500 1000 | 2.10 | Wholewheat, Quick Cook, Bronze Die, Organic
  Durum <strong>Wheat</strong> Semolina
Basmati, Long Grain, Microwave Rice
  250 500 1000 2000 | 3.20 | Easy Cook, Brown, Wholegrain, Egg Fried
  Rice
Black Pepper, Paprika, Chilli & Cumin
  38 42 50 80 100 | 31.00 | Ground, Smoked, Whole, Organic
  Spice
Olive Oil, Sunflower & Rapeseed Oil
  250 500 750 1000 | 8.20 | Extra Virgin, Mild, Cold Pressed, Everyday
  Oil
Tomato Pasta Sauce, Pesto
  190 350 500 | 4.80 | Basil, Roasted Garlic, Red Pepper, Chilli
  Tomatoes, Rapeseed Oil, Onion
Tomato Ketchup, Brown Sauce
  285 460 555 700 970 | 4.60 | Original, 50% Less Sugar, Squeezy, Organic
  Tomatoes, Spirit Vinegar, Sugar
Green Olives, Black Olives
  160 280 340 | 9.00 | Pitted, Stuffed, Sliced, Queen
  Olives, Water, Salt
Flour, Sugar, Baking Powder & Yeast
  500 1000 1500 | 1.20 | Plain, Self Raising, Strong White, Golden
  <strong>Wheat</strong> Flour
Honey, Strawberry Jam, Peanut Butter
  280 340 454 700 | 6.60 | Runny, Smooth, Crunchy, Reduced Sugar
  Sugar, Fruit
Ready Salted, Cheese & Onion, Tortilla Chips
  150 175 180 200 | 9.20 | Ridge Cut, Hand Cooked, Sharing, Lightly Salted
  Potatoes, Sunflower Oil, Salt
Pickles & Beetroot, Soups & Broths, Seasonings, Jerk & Hot Sauce
  142 250 340 500 | 6.00 | Traditional, Sweet, Hot, Mild
  Vegetables, Spirit Vinegar, Salt
Milk Chocolate, Dark Chocolate, White Chocolate
  95 100 180 200 360 | 13.50 | Smooth, Fruit & Nut, Whole Nut, Sea Salt
  Sugar, Cocoa Butter, <strong>Milk</strong> Powder
Boxed Chocolates, Assortments
  150 220 380 660 | 17.00 | Luxury, Caramel, Truffle, Continental
  Sugar, Cocoa Mass, <strong>Milk</strong> Powder
Jellies & Gums, Liquorice, Fruit Chews
  130 160 180 340 | 8.20 | Sour, Fizzy, Vegan, Mixed
  Glucose Syrup, Sugar
Digestives, Shortbread, Custard Creams
  150 250 300 400 | 4.80 | Milk Chocolate, Original, Light, All Butter
  <strong>Wheat</strong> Flour, Palm Oil, Sugar
Oat Bars, Protein Bars
  3 4 5 6 12 | 0.62 | Peanut, Fruit & Nut, Chocolate, Raspberry
  <strong>Oats</strong>, Glucose Syrup
Cola, Diet & Zero Cola, Lemonade, Tonic Water, Ginger Ale
  330 500 1000 1250 2000 | 1.35 | Original, Zero Sugar, Caffeine Free, Slimline, Cherry
  Carbonated Water, Sugar, Citric Acid
Still Water, Sparkling Water
  500 750 1000 1500 2000 | 0.62 | Spring, Mineral, Lemon & Lime, Sports Cap
  Water
Smooth Orange Juice, Orange Juice with Bits
  900 1000 1350 1750 | 2.40 | Pure, Not From Concentrate, Breakfast
  Orange Juice
Orange Squash, Summer Fruits Squash
  750 1000 1500 2000 | 1.30 | Double Strength, No Added Sugar, High Juice
  Water, Fruit Juice
Everyday Tea, Green & Herbal Tea
  20 40 80 160 240 | 0.035 | Decaf, Gold, Organic, Breakfast, Peppermint
  Tea
Instant Coffee, Ground Coffee, Coffee Pods
  95 100 200 227 300 | 24.00 | Gold, Decaf, Rich, Colombian, Espresso
  Coffee
Malbec, Merlot, Rioja, Sauvignon Blanc, Chardonnay, Pinot Grigio, Rosé
  187 750 1500 2250 | 10.60 | Reserva, Chilean, Argentinian, Organic, Barrel Aged
  Grapes, <strong>Sulphites</strong>
Pale Ale, Bitter, Stout, Lager, Low & No Alcohol
  330 440 500 660 | 3.90 | Premium, Craft, Original, Session
  Water, Malted <strong>Barley</strong>, Hops
London Dry Gin, Flavoured Gin
  500 700 1000 | 25.00 | Small Batch, Pink, Rhubarb, Navy Strength
  Gin
Size 3 Nappies, Size 4 Nappies, Size 5 Nappies
  24 36 44 72 100 | 0.14 | Ultra Dry, Newborn, Eco, Night
  -
6 Months +, 7 Months +, 10 Months +
  70 90 100 120 | 12.00 | Banana, Apple & Mango, Carrot, Organic Pear
  Fruit
First Infant Milk
  400 700 800 | 15.00 | Stage One, Organic, Goat
  Skimmed <strong>Milk</strong> Powder
Sensitive Wipes, Fragranced Wipes
  56 60 64 120 240 | 0.021 | Pure Water, Biodegradable, Aloe
  -
Everyday Shampoo, Anti-Dandruff Shampoo, Kids' Shampoo, Everyday Conditioner, Treatments & Masks
  200 250 300 400 500 | 9.50 | Coconut, Argan, Repair, Volume, Two in One
  -
Women's Shower Gel, Men's Shower Gel, Bar Soap, Hand Wash
  225 250 400 500 | 6.20 | Aloe, Sport, Citrus, Shea, Antibacterial
  -
Moisturisers, Cleansers, Toners & Wipes
  50 75 150 200 | 42.00 | Day, Night, Sensitive, SPF 30, Hyaluronic
  -
Whitening, Sensitive, Kids' Toothpaste
  75 100 125 | 30.00 | Mint, Total Care, Fluoride, Gel
  -
Tablets & Capsules, Lozenges
  12 16 20 24 32 | 0.14 | Max Strength, Honey & Lemon, Day & Night
  -
Women's, Men's
  50 75 150 200 | 21.00 | 48 Hour, Cotton, Sport, Invisible
  -
Bio, Non Bio, Colour Care, Floral
  630 750 1000 1430 2000 | 5.20 | Sensitive, Fresh, Lavender, Spring
  -
Washing Up Liquid
  433 500 780 1015 | 2.60 | Original, Lemon, Apple, Sensitive
  -
Dishwasher Tablets
  20 30 48 64 | 0.18 | All in One, Lemon, Eco, Max
  -
Kitchen Sprays, Bathroom Sprays, Glass & Windows
  500 750 1000 | 3.00 | Antibacterial, Lemon, Eco, Streak Free
  -
4 & 6 Rolls, 9+ Rolls, Kitchen Roll
  2 3 4 6 9 16 24 | 0.52 | Quilted, Soft, Recycled, Extra Long
  -
Foil, Cling Film, Food Bags
  - | 2.20 | Strong, Wide, Recycled, Easy Tear
  -
Tins, Pouches, Trays
  100 150 400 800 1200 | 4.20 | Beef, Chicken, In Jelly, In Gravy, Puppy
  Meat and Animal Derivatives (14%)
Dental Sticks, Biscuits
  180 270 400 1000 | 8.40 | Small Dog, Marrowbone, Daily
  Cereals, Meat and Animal Derivatives
Adult, Kitten, Senior
  340 800 1500 2000 4000 | 4.80 | Chicken, Salmon, Tuna, Indoor
  Cereals, Meat and Animal Derivatives
Clumping Litter, Non Clumping Litter
  5000 10000 | 0.95 | Wood, Clay, Odour Control
  -
Frying Pans, Saucepans, Oven Trays
  - | 16.00 | 20cm Non Stick, 24cm Non Stick, 28cm Cast, Stainless Steel
  -
Kettles, Toasters
  - | 34.00 | Cordless, Four Slice, Rapid Boil, Brushed Steel
  -
Ballpoint Pens, Colouring Pencils
  - | 2.60 | Blue, Assorted, Twelve, Retractable
  -
Balloons, Paper Plates & Napkins
  - | 2.80 | Birthday, Rainbow, Gold, Recyclable
  -
Puzzles & Quizzes, Paperbacks
  - | 6.50 | Crossword, Bestseller, Summer, Sudoku
  -
Socks, Tights, Shorts
  - | 7.50 | Five Pairs, Cotton Rich, Black, School, Striped
  -
Brown Soda Bread, White Soda Bread
  400 600 800 | 3.00 | Buttermilk, Wholemeal, Sliced, Traditional
  <strong>Wheat</strong> Flour, Buttermilk (<strong>Milk</strong>)
Black Pudding, White Pudding
  200 280 340 | 8.40 | Clonakilty Style, Sliced, Traditional, Gluten Free
  Pork, <strong>Oats</strong>, Onion
Farmhouse Cheese, Chutney & Oatcake Selections for Sharing
  400 600 900 | 24.00 | Classic, Grand, Winter
  Cheese (<strong>Milk</strong>), <strong>Oats</strong>
Handmade Chocolates, Fudge & Sea Salted Caramels
  150 250 400 | 31.00 | Milk, Dark, Assorted
  Sugar, Cocoa Mass, <strong>Milk</strong>
Sheds & Storage, Rattan Effect Corner Sofas & Adjustable Dining Sets
  - | 160.00 | Large, Weatherproof, Grey, Flat Packed
  -
Hoses & Watering, Table Lamps, LED Bulbs & Strip Lights
  - | 24.00 | Adjustable, Compact, Warm White, Retractable
  -
Wireless Headphones, Bluetooth Speakers
  - | 45.00 | Noise Cancelling, Sport, Portable, Mini
  -
Weatherproof Cushions, Replacement Covers & Throws
  - | 28.00 | Pair of, Striped, Grey, Quilted
  -
`;

const byShelf = new Map<string, ShelfGoods>();
for (const entry of lines.trim().split(/\n(?! )/)) {
  const [shelves = '', sold = '', made = ''] = entry.split('\n  ');
  const [sizes = '', pounds, varieties = ''] = sold.split(' | ');
  const goods: ShelfGoods = {
    sizes: sizes === '-' ? null : sizes.split(' ').map(Number),
    pence: Number(pounds) * 100,
    varieties: varieties.split(', '),
    made: made === '-' ? null : made.split(/, (?![^(]*\))/),
  };
  for (const shelf of shelvesIn(shelves)) byShelf.set(shelf, goods);
}

/** Names of shelves hold commas, too: `Lemons, Limes & Grapefruit`. */
function shelvesIn(text: string): string[] {
  const parts = text.split(', ');
  return [...parts, ...parts.flatMap((_, n) => [parts.slice(n, n + 2).join(', '), parts.slice(n, n + 3).join(', ')])];
}

const anything: ShelfGoods = { sizes: null, pence: 400, varieties: ['Classic', 'Everyday', 'Luxury'], made: null };

/** Goods of a shelf by its name without spaces at the ends and question mark. */
export const goodsOnShelf = (name: string): ShelfGoods => byShelf.get(name) ?? anything;
