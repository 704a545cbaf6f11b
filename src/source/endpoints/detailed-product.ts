import type { ProductDetail } from '../../base/model/index.ts';
import { readCatchWeight } from '../normalise/catch-weight.ts';
import { readCharges } from '../normalise/charges.ts';
import { readAllergens, readIngredients } from '../normalise/ingredients.ts';
import { parseMoney } from '../normalise/money.ts';
import { readNutrition } from '../normalise/nutrition.ts';
import { packSizeFromList } from '../normalise/pack-list.ts';
import { productIdFrom } from '../normalise/product-id.ts';
import { readLabel, readProse, readTitle } from '../normalise/text.ts';
import { readBreadcrumb } from './breadcrumb.ts';
import type { ReportField } from './elements.ts';
import { readGtin } from './listed-product.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Converts a details product. A missing or malformed field becomes null. */
export function toProductDetail(product: Fields, askedId: string, report: ReportField): ProductDetail {
  const details = fieldsOf(product['details']);
  const ingredients = readIngredients(details['ingredients']);
  const pack = packSizeFromList(details['packSize']);
  const { charges, depositMinor } = readCharges(product['charges']);
  return {
    productId: productIdFrom(product['id'] ?? product['tpnc']) ?? askedId,
    gtin: readGtin(product['gtin'], report),
    title: readTitle(product['title']),
    description: readProse(product['description'] ?? product['shortDescription']),
    ingredients: ingredients.text,
    allergens: readAllergens(details['allergenInfo'], ingredients.bold),
    packSize: pack?.size ?? null,
    packMeasure: pack?.measure ?? null,
    packCount: pack?.count ?? null,
    storage: readProse(details['storage']),
    productType: readLabel(product['productType']),
    status: readLabel(product['status']),
    priceMinor: priceOf(product['price']),
    nutrition: readNutrition(tableOf(details)),
    catchWeightGrams: readCatchWeight(product['catchWeightList']),
    charges,
    depositMinor,
    breadcrumb: readBreadcrumb(product),
  };
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** Prices are in `price.actual` here, in `price.price` on category pages, and flat in old payloads. */
function priceOf(price: unknown): number | null {
  if (typeof price !== 'object' || price === null) return parseMoney(price);
  const { actual, price: listed } = price as Fields;
  return parseMoney(actual ?? listed);
}

/** The table has two names; the other one may be present but empty. */
function tableOf({ nutritionInfo, nutrition }: Fields): unknown {
  return Array.isArray(nutritionInfo) && nutritionInfo.length > 0 ? nutritionInfo : nutrition;
}
