/** An element of a UK page as the vendor's document shapes it, all values invented. */
export function ukElement(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: '300000001',
    tpnb: '080000001',
    gtin: '05012345678900',
    title: 'Invented  Ale 4X330ml ',
    brand: 'INVENTED',
    isForSale: true,
    imageUrl: 'https://img.example/a.jpeg?h=225&w=225',
    price: { price: 5.5, unitPrice: 0.42, unitOfMeasure: '100ml' },
    promotions: [
      {
        description: '£4.50 Clubcard Price',
        offerType: 'CLUBCARD_PRICING',
        startDate: '2026-03-02T00:00:00Z',
        endDate: '2026-03-29T23:00:00Z',
      },
    ],
    reviews: { averageRating: 4.4, reviewCount: 9 },
    categoryBreadcrumbs: [{ id: 'b;RHJpbmtz', name: 'Drinks', level: 0 }],
    ...changes,
  };
}

/** An Irish node in the supermarket's own shape, all values invented. */
export function ieNode(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: '250000001',
    baseProductId: '50000001',
    title: 'Invented Honey 454G',
    brandName: 'INVENTED',
    defaultImageUrl: 'https://img.example/h.jpeg?h=225&w=225',
    superDepartmentName: 'Drinks',
    departmentName: 'Tea & Honey',
    aisleName: 'Honey',
    shelfName: 'Squeezy Honey',
    isForSale: true,
    status: 'AvailableForSale',
    ...changes,
  };
}

/** What `of` gives without the keys named. */
export function without(of: Record<string, unknown>, ...keys: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(of).filter(([key]) => !keys.includes(key)));
}
