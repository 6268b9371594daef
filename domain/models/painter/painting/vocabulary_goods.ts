/** The words for what is eaten, drunk and sold, as `vocabulary.ts` has them for places. */
import type { Entry } from "./vocabulary.ts";
import type { SceneName } from "./names.ts";

const entry = (scene: SceneName, kind: string, weight: Entry["weight"], words: string): Entry => ({
  scene,
  kind,
  weight,
  words,
});

export const GOODS: readonly Entry[] = [
  entry(
    "tabletop",
    "coffee",
    3,
    "coffee* latte* espresso cappuccino flat_white cortado cafe cafes roastery mocha cup mug kaffee* *kaffee rosterei milchkaffee cafeteria caffe torrefazione cafezinho " +
      "コーヒー カフェ ラテ エスプレッソ 珈琲 喫茶",
  ),
  entry(
    "tabletop",
    "cake",
    3,
    "cake* cupcake* dessert* tart pastry pastries patisserie pie cookie* biscuit* muffin* brownie* chocolate* donut* doughnut* sweets pancake* waffle* kuchen* *kuchen torte* *torte " +
      "geback *geback kekse platzchen schokolade* gateau* tarte* biscuits chocolat* pastel* tarta* postre* galletas torta* dolce dolci biscotti cioccolato bolo* doces sobremesa " +
      "ケーキ デザート スイーツ お菓子 和菓子 クッキー チョコ",
  ),
  entry(
    "tabletop",
    "bread",
    3,
    "bread* bakery bakeries sourdough loaf loaves baguette* croissant* roll rolls bun buns brot brotzeit brotlaib *brot brotchen* backerei* backwaren laib boulangerie du_pain le_pain pains pan_de panaderia panes pane " +
      "panificio pao paes padaria パン ベーカリー クロワッサン 食パン",
  ),
  entry(
    "tabletop",
    "ice",
    3,
    "ice_cream gelato* gelateria sorbet sundae eis eisdiele *eis eisbecher glacier helado* heladeria sorvete* アイス ジェラート かき氷",
  ),
  entry("tabletop", "pizza", 3, "pizza* pizzeria* flammkuchen ピザ"),
  entry(
    "tabletop",
    "soup",
    3,
    "soup* stew ramen noodle* broth curry pho porridge suppe* *suppe suppen* eintopf nudel* soupe* potage sopa* caldo zuppa minestrone guisado ensopado ラーメン スープ うどん そば カレー 味噌汁 鍋",
  ),
  entry(
    "tabletop",
    "salad",
    3,
    "salad* vegetable* vegan vegetarian healthy_bowl buddha_bowl poke vitamin* fruit fruits smoothie_bowl pasta spaghetti salat* *salat gemuse* obst* salade* legumes fruits ensalada* verduras fruta* insalata* verdura frutta " +
      "salada* legumes サラダ 野菜 果物 フルーツ パスタ",
  ),
  entry("tabletop", "sushi", 3, "sushi maki nigiri sashimi bento 寿司 すし 刺身 弁当 和食"),
  entry(
    "tabletop",
    "meal",
    2,
    "food* bowl bowls cheese* snack* breakfast brunch lunch* dinner* meal* dish dishes recipe* plate restaurant* menu* supper kitchen cooking catering bistro street_food burger* essen fruhstuck* mittagessen " +
      "mittagstisch abendessen *gericht gerichte rezept* speisekarte speisen kuche *kuche kochen restaurant* repas petit_dejeuner dejeuner diner recette* cuisine* plat plats comida* desayuno almuerzo " +
      "cena receta* cocina* restaurante* plato cibo colazione pranzo ricetta* cucina ristorante* trattoria piatto comida almoco jantar receita* cozinha* prato " +
      "料理 食事 ランチ ディナー 朝食 昼食 夕食 レストラン メニュー レシピ ごはん 定食 食堂",
  ),
  entry(
    "drinks",
    "beer",
    3,
    "beer* brewery pub ale lager bier* *bier brauerei* biergarten biere* brasserie cerveza* cerveceria birra* birrificio cerveja* ビール 居酒屋",
  ),
  entry(
    "drinks",
    "wine",
    3,
    "wine* winery prosecco champagne sommelier wein* *wein weingut winzer* sekt vin vins vignoble vino* bodega cantina vinho* adega ワイン",
  ),
  entry(
    "drinks",
    "cocktail",
    3,
    "cocktail* lemonade* juice* smoothie* drink drinks bar aperitif gin spritz mocktail iced_tea mojito getrank* limonade* saft *saft jus boisson* zumo* bebida* succo bevanda bevande suco* カクテル ジュース ドリンク レモネード",
  ),
  entry(
    "drinks",
    "tea",
    3,
    "tea teas teapot matcha chai tee *tee teeladen teekanne the_vert theiere infusion te_verde te_caldo cha お茶 紅茶 抹茶 緑茶 茶",
  ),
  entry(
    "product",
    "bottle",
    3,
    "bottle* perfume* fragrance* shampoo lotion serum* olive_oil sauce syrup conditioner flasche* parfum* duft olivenol sirup bouteille* huile botella* perfume* aceite bottiglia profumo* olio garrafa* " +
      "ボトル 香水 シャンプー 美容液",
  ),
  entry(
    "product",
    "jar",
    3,
    "skincare cosmetic* cream_jar beauty moisturi* soap jar honey jam candle* kosmetik* hautpflege creme seife glas honig marmelade kerze* savon cosmetique* soin bougie* miel confiture " +
      "jabon cosmetic* crema vela velas mermelada sapone candela candele miele cosmetico sabonete creme mel スキンケア コスメ 化粧品 石鹸 キャンドル はちみつ ジャム",
  ),
  entry(
    "product",
    "shoe",
    3,
    "shoe* sneaker* trainers boots footwear schuh* *schuh *schuhe turnschuh* chaussure* basket_shoes zapat* zapatill* scarpa scarpe sapato* tenis_novo 靴 スニーカー シューズ",
  ),
  entry(
    "product",
    "bag",
    3,
    "bag handbag* backpack* tote* fashion clothing clothes dress t-shirt shirt jacket sweater hoodie boutique_collection tasche* handtasche* rucksack* mode kleidung kleid hemd pullover sac sacs vetement* robe " +
      "bolso* ropa moda vestido camiseta borsa borse abbigliamento vestiti bolsa* roupa* バッグ ファッション 服 鞄 シャツ",
  ),
  entry(
    "product",
    "watch",
    3,
    "a_watch the_watch new_watch watches wristwatch jewel* jewellery jewelry ring necklace earrings uhr armbanduhr schmuck* montre* bijou* reloj* joya* orologio gioiell* relogio joia* 時計 ジュエリー アクセサリー 指輪",
  ),
  entry(
    "product",
    "phone",
    3,
    "phone smartphone* iphone headphones gadget* tablet camera_lens kopfhorer telephone casque movil telefono auriculares cellulare celular fone スマホ 携帯 スマートフォン イヤホン カメラ",
  ),
  entry(
    "product",
    "box",
    2,
    "product* package packaging box parcel subscription_box launch collection merchandise produkt* *produkt verpackung paket schachtel neuheit kollektion produit* emballage boite lancement nouveaute " +
      "producto* caja lanzamiento novedad prodotto prodotti scatola lancio produto* caixa lancamento 商品 製品 新商品 新発売 パッケージ",
  ),
];
