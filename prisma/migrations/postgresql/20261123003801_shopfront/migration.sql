-- AlterTable
ALTER TABLE "Shop" ADD COLUMN     "accent" TEXT COLLATE "C",
ADD COLUMN     "letter" TEXT COLLATE "C",
ADD COLUMN     "phone" TEXT COLLATE "C";
