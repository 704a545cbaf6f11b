/** A town with stores: their spread in miles, and its share of all stores. */
export interface StorePlace {
  readonly city: string;
  readonly state: string;
  readonly country: 'GB' | 'IE';
  readonly latitude: number;
  readonly longitude: number;
  readonly spreadMiles: number;
  readonly weight: number;
}

/** Towns of Great Britain, Northern Ireland and Ireland, from cities to islands with a handful of stores. */
export const storePlaces: readonly StorePlace[] = (
  [
    ['London', 'Greater London', 'GB', 51.5072, -0.1276, 16, 420],
    ['Croydon', 'Greater London', 'GB', 51.3762, -0.0982, 8, 60],
    ['Brighton', 'East Sussex', 'GB', 50.8225, -0.1372, 12, 45],
    ['Southampton', 'Hampshire', 'GB', 50.9097, -1.4044, 15, 70],
    ['Reading', 'Berkshire', 'GB', 51.4543, -0.9781, 12, 55],
    ['Oxford', 'Oxfordshire', 'GB', 51.752, -1.2577, 12, 35],
    ['Milton Keynes', 'Buckinghamshire', 'GB', 52.0406, -0.7594, 15, 50],
    ['Cambridge', 'Cambridgeshire', 'GB', 52.2053, 0.1218, 15, 40],
    ['Norwich', 'Norfolk', 'GB', 52.6309, 1.2974, 18, 45],
    ['Ipswich', 'Suffolk', 'GB', 52.0567, 1.1482, 15, 40],
    ['Southend', 'Essex', 'GB', 51.5459, 0.7077, 12, 45],
    ['Canterbury', 'Kent', 'GB', 51.2802, 1.0789, 14, 45],
    ['Bristol', '', 'GB', 51.4545, -2.5879, 14, 75],
    ['Exeter', 'Devon', 'GB', 50.7184, -3.5339, 20, 45],
    ['Plymouth', 'Devon', 'GB', 50.3755, -4.1427, 12, 30],
    ['Truro', 'Cornwall', 'GB', 50.2632, -5.051, 20, 30],
    ['Penzance', 'Cornwall', 'GB', 50.1188, -5.5376, 5, 6],
    ['Bournemouth', 'Dorset', 'GB', 50.7192, -1.8808, 14, 40],
    ['Cardiff', 'Wales', 'GB', 51.4816, -3.1791, 15, 65],
    ['Swansea', 'Wales', 'GB', 51.6214, -3.9436, 12, 35],
    ['Aberystwyth', 'Wales', 'GB', 52.4153, -4.0829, 25, 15],
    ['Bangor', 'Wales', 'GB', 53.2274, -4.1293, 18, 20],
    ['Birmingham', 'West Midlands', 'GB', 52.4862, -1.8904, 16, 150],
    ['Coventry', 'West Midlands', 'GB', 52.4068, -1.5197, 10, 40],
    ['Leicester', 'Leicestershire', 'GB', 52.6369, -1.1398, 12, 45],
    ['Nottingham', 'Nottinghamshire', 'GB', 52.9548, -1.1581, 13, 60],
    ['Stoke-on-Trent', 'Staffordshire', 'GB', 53.0027, -2.1794, 14, 45],
    ['Shrewsbury', 'Shropshire', 'GB', 52.7073, -2.7553, 18, 20],
    ['Lincoln', 'Lincolnshire', 'GB', 53.2307, -0.5406, 20, 30],
    ['Manchester', 'Greater Manchester', 'GB', 53.4808, -2.2426, 14, 140],
    ['Liverpool', 'Merseyside', 'GB', 53.4084, -2.9916, 12, 80],
    ['Preston', 'Lancashire', 'GB', 53.7632, -2.7031, 14, 50],
    ['Leeds', 'West Yorkshire', 'GB', 53.8008, -1.5491, 13, 90],
    ['Sheffield', 'South Yorkshire', 'GB', 53.3811, -1.4701, 12, 65],
    ['Hull', 'East Riding of Yorkshire', 'GB', 53.7676, -0.3274, 14, 40],
    ['York', 'North Yorkshire', 'GB', 53.96, -1.0873, 16, 30],
    ['Middlesbrough', 'North Yorkshire', 'GB', 54.5742, -1.235, 12, 40],
    ['Newcastle upon Tyne', '', 'GB', 54.9783, -1.6178, 14, 80],
    ['Carlisle', 'Cumbria', 'GB', 54.8925, -2.9329, 18, 18],
    ['Kendal', 'Cumbria', 'GB', 54.328, -2.7463, 15, 12],
    ['Edinburgh', 'Scotland', 'GB', 55.9533, -3.1883, 13, 80],
    ['Glasgow', 'Scotland', 'GB', 55.8642, -4.2518, 14, 120],
    ['Dundee', 'Scotland', 'GB', 56.462, -2.9707, 14, 30],
    ['Aberdeen', 'Scotland', 'GB', 57.1497, -2.0943, 14, 35],
    ['Inverness', 'Scotland', 'GB', 57.4778, -4.2247, 18, 18],
    ['Fort William', 'Scotland', 'GB', 56.8198, -5.1052, 12, 4],
    ['Dumfries', 'Scotland', 'GB', 55.0709, -3.6051, 16, 14],
    ['Stornoway', 'Scotland', 'GB', 58.209, -6.3849, 5, 3],
    ['Kirkwall', 'Scotland', 'GB', 58.981, -2.96, 5, 3],
    ['Lerwick', 'Scotland', 'GB', 60.153, -1.1493, 5, 3],
    ['Thurso', 'Scotland', 'GB', 58.5936, -3.5221, 6, 3],
    ['Belfast', 'Northern Ireland', 'GB', 54.5973, -5.9301, 12, 65],
    ['Londonderry', 'Northern Ireland', 'GB', 54.9966, -7.3086, 10, 16],
    ['Omagh', 'Northern Ireland', 'GB', 54.5977, -7.31, 14, 12],
    ['Newry', 'Northern Ireland', 'GB', 54.1751, -6.3402, 10, 12],
    ['Dublin', 'Leinster', 'IE', 53.3498, -6.2603, 12, 95],
    ['Drogheda', 'Leinster', 'IE', 53.7179, -6.3561, 10, 15],
    ['Waterford', 'Munster', 'IE', 52.2593, -7.1101, 16, 16],
    ['Kilkenny', 'Leinster', 'IE', 52.6541, -7.2448, 16, 14],
    ['Cork', 'Munster', 'IE', 51.8985, -8.4756, 14, 36],
    ['Tralee', 'Munster', 'IE', 52.2713, -9.7026, 16, 12],
    ['Limerick', 'Munster', 'IE', 52.6638, -8.6267, 14, 20],
    ['Galway', 'Connacht', 'IE', 53.2707, -9.0568, 14, 16],
    ['Castlebar', 'Connacht', 'IE', 53.8561, -9.2988, 18, 10],
    ['Sligo', 'Connacht', 'IE', 54.2766, -8.4761, 14, 8],
    ['Athlone', 'Leinster', 'IE', 53.4239, -7.9407, 16, 12],
    ['Letterkenny', 'Ulster', 'IE', 54.9558, -7.7342, 12, 8],
  ] as const
).map(([city, state, country, latitude, longitude, spreadMiles, weight]) => {
  return { city, state, country, latitude, longitude, spreadMiles, weight };
});
