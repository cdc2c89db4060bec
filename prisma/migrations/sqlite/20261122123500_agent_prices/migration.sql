-- AlterTable
ALTER TABLE "Shop" ADD COLUMN "agentPrices" TEXT;

-- AlterTable
ALTER TABLE "Order" ADD COLUMN "agentUnitPesewas" INTEGER;

-- What agents have ordered before is shown to them by the selling price.
UPDATE "Order" SET "agentUnitPesewas" = "sellUnitPesewas" WHERE "agentName" IS NOT NULL OR "reportTo" IS NOT NULL;
