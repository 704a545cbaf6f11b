ALTER TABLE "catalog"."product" DROP CONSTRAINT "product_region_region_region_fk";
--> statement-breakpoint
ALTER TABLE "catalog"."promotion" DROP CONSTRAINT "promotion_region_region_region_fk";
