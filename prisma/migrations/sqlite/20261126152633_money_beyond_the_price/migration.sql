-- AlterTable
ALTER TABLE "Account" ADD COLUMN "explainedPesewas" INTEGER;

-- AlterTable
ALTER TABLE "Order" ADD COLUMN "answeredAt" DATETIME;
ALTER TABLE "Order" ADD COLUMN "extraAt" DATETIME;
ALTER TABLE "Order" ADD COLUMN "extraPesewas" INTEGER;
