-- AlterTable
ALTER TABLE "Shop" ADD COLUMN "accent" TEXT;
ALTER TABLE "Shop" ADD COLUMN "letter" TEXT;
ALTER TABLE "Shop" ADD COLUMN "phone" TEXT;
