/** The words that lead to each world: English, German, French, Spanish, Italian, Portuguese, Japanese. */
import type { SceneName } from "./names.ts";

export interface Entry {
  scene: SceneName;
  /** What of the world is shown; each world knows its own kinds. */
  kind: string;
  /** 3 for what a picture is of, 2 for what may be, 1 for where or why it is. */
  weight: 1 | 2 | 3;
  /**
   * Lower case, without accents. `word*` also begins longer words, `*word` ends them (German
   * compounds), `two_words` stand side by side.
   */
  words: string;
}

const entry = (scene: SceneName, kind: string, weight: Entry["weight"], words: string): Entry => ({
  scene,
  kind,
  weight,
  words,
});

export const PLACES: readonly Entry[] = [
  entry(
    "horizon",
    "land",
    2,
    "mountain* peak hill hillside valley island desert dune landscape forest meadow canyon nature alps hike hiking hiker " +
      "trail travel camp camping campsite adventure snow ski waterfall cliff countryside wilderness panorama vineyard " +
      "berg berge gebirge tal insel wuste landschaft *landschaft wald *wald wiese natur wandern wanderung *wanderung *reise reise* " +
      "urlaub montagne* vallee foret desert* paysage randonnee voyage* campagne montana* bosque paisaje naturaleza viaje* senderismo isla " +
      "montagna* bosco paesaggio viaggio natura isola montanha* floresta paisagem viagem natureza ilha " +
      "山 森 自然 旅行 風景 登山 旅 富士 キャンプ",
  ),
  entry(
    "horizon",
    "sea",
    2,
    "sea seaside ocean beach coast coastal shore lake river surf harbor harbour bay pier lighthouse fjord lagoon wave " +
      "meer strand *strand kuste seeufer bergsee fluss hafen *hafen ostsee nordsee leuchtturm mer plage cote lac riviere phare " +
      "mar playa costa lago rio puerto faro spiaggia mare fiume porto praia oceano rio " +
      "海 海辺 湖 川 浜 港 ビーチ",
  ),
  entry(
    "horizon",
    "sky",
    1,
    "sunset sunrise horizon sky sonnenuntergang sonnenaufgang himmel coucher_de_soleil atardecer amanecer tramonto alba " +
      "夕日 夕焼け 空 朝日",
  ),
  entry(
    "city",
    "skyline",
    2,
    "city skyline skyscraper downtown metropolis tower architecture rooftop urban bridge train trains station metro tram museum stadt skyline hochhaus grossstadt " +
      "ville gratte-ciel ciudad rascacielos citta grattacielo cidade 都市 都会 ビル 東京 夜景",
  ),
  entry(
    "street",
    "shops",
    2,
    "street* high-street storefront shopfront alley neighborhood neighbourhood village town square plaza boulevard pavement " +
      "sidewalk facade local_shop corner_shop old_town strasse *strasse gasse altstadt dorf viertel fussgangerzone ladenzeile " +
      "schaufenster rue ruelle quartier village calle barrio pueblo plaza strada vicolo quartiere borgo " +
      " rua bairro 街 通り 街並み 商店街 路地",
  ),
  entry(
    "street",
    "shops",
    1,
    "shop shops store stores laden geschaft boutique tienda negozio loja 店 お店 ショップ",
  ),
  entry(
    "street",
    "houses",
    3,
    "house houses townhouse real_estate estate_agent property mortgage for_sale_sign home_buyers immobilie* haus hauser *haus " +
      "maison maisons immobilier casa_nueva inmobiliaria immobiliare imovel imoveis 不動産 住宅",
  ),
  entry(
    "home",
    "sofa",
    2,
    "interior living_room sofa couch armchair furniture cosy cozy bedroom bed hotel room decor lamp apartment flat *wohnung " +
      "wohnzimmer einrichtung mobel* schlafzimmer sessel salon canape meuble* chambre appartement salon sofa mueble* " +
      "habitacion dormitorio divano soggiorno mobili camera arredamento sala quarto moveis インテリア 部屋 ソファ 家具 リビング",
  ),
  entry(
    "home",
    "sofa",
    1,
    "home zuhause maison hogar casa lar 家",
  ),
  entry(
    "desk",
    "laptop",
    2,
    "desk laptop computer workspace workplace office remote software app website startup webinar online_course coding developer robot ai " +
      "code dashboard saas freelance* newsletter blog podcast schreibtisch buro* homeoffice rechner bureau ordinateur logiciel " +
      "teletravail escritorio oficina ordenador portatil scrivania ufficio escritorio computador パソコン オフィス デスク 仕事 アプリ",
  ),
  entry(
    "desk",
    "chart",
    2,
    "chart charts dashboard analytics finance accounting tax taxes invoice* report quarterly investment* insurance *steuer* " +
      "finanz* bilanz buchhaltung quartals* versicherung* comptab* impot* finances finanzas impuestos contabilidad finanza tasse " +
      "financas impostos データ 経理 会計 税",
  ),
  entry(
    "botanical",
    "plants",
    3,
    "plant plants leaf leaves foliage fern jungle monstera houseplant* succulent* cactus herb herbs greenhouse botanical botanic " +
      "garden gardening gardener pflanze* *pflanze *pflanzen garten* *garten gartner* krauter plante* jardin* feuille* planta* hoja* pianta " +
      "piante giardin* foglie jardim folhas 植物 庭 葉 ガーデン",
  ),
  entry(
    "botanical",
    "flowers",
    3,
    "flower* floral florist bloom blooms blossom* bouquet* petal* rose roses tulip* peony peonies lavender_field sunflower* " +
      "blume* *blumen blumen* blute* strauss tulpe* rosen fleur* fleuriste bouquet flores flor floristeria fiore fiori fioraio " +
      "flores florista 花 花束 桜 花屋 バラ チューリップ",
  ),
  entry(
    "bookshop",
    "shelves",
    3,
    "books a_book the_book new_book this_book book_launch book_signing book_reading book_fair bookshop* bookstore* library libraries novel* reading_list author* bookshelf bookclub book_club book_shop book_store reading_evening poetry_reading literature poetry " +
      "buch bucher *buch buch* bucher* bibliothek bucherei lesung lesen roman livre* librairie bibliotheque lecture libro* libreria " +
      "biblioteca lectura novela lettura romanzo livro* livraria leitura 本 本屋 書店 図書館 読書 小説",
  ),
  entry(
    "craft",
    "pottery",
    3,
    "pottery ceramic* potter clay stoneware topfer* *topfern keramik* poterie ceramique* ceramica* alfareria olaria " +
      "陶芸 陶器 焼き物",
  ),
  entry(
    "craft",
    "paint",
    3,
    "painting painter paintbrush brushes artist atelier art_class watercolor_class watercolour_class drawing easel malen maler* malkurs kunst* " +
      "peinture peintre pintura pintor pittura pittore 絵画 アート 画家",
  ),
  entry(
    "craft",
    "tools",
    3,
    "workshop tool tools craft crafts handicraft carpenter carpentry woodwork* joinery repair toolbox diy workbench " +
      "renovation electrician plumber handwerk* werkstatt *werkstatt werkzeug* tischler* schreiner* reparatur* basteln " +
      "artisan* atelier bricolage outils menuis* taller artesan* herramientas carpinter* laboratorio artigian* falegname " +
      "attrezzi oficina ferramentas ワークショップ 工房 道具 職人",
  ),
  entry(
    "craft",
    "tools",
    1,
    "handmade handcrafted handgemacht handgefertigt fait_main hecho_a_mano fatto_a_mano feito_a_mao 手作り",
  ),
  entry(
    "botanical",
    "plants",
    2,
    "solar solarenergie photovoltaik recycl* sustainab* nachhaltig* ecolog* durable sostenib* sustentavel サステナブル エコ",
  ),
  entry(
    "abstract",
    "calm",
    2,
    "abstract idea ideas dream future space gradient pattern texture shapes geometric geometry background wallpaper waves_of_colour abstrakt* muster " +
      "hintergrund formen abstrait* motif abstracto abstracta patron astratto astratta motivo abstrato padrao 抽象 模様 背景 グラデーション",
  ),
  entry(
    "stillLife",
    "solids",
    2,
    "pedestal plinth sculpture still_life vase geometric_solids stillleben skulptur nature_morte escultura bodegon scultura " +
      "natura_morta 花瓶 彫刻",
  ),
];
