-- AlterTable
ALTER TABLE "Account" ADD COLUMN     "explainedPesewas" INTEGER;

-- AlterTable
ALTER TABLE "Order" ADD COLUMN     "answeredAt" TIMESTAMP(3),
ADD COLUMN     "extraAt" TIMESTAMP(3),
ADD COLUMN     "extraPesewas" INTEGER;
