using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Payorder;

/// <summary>What a step says, as the package's own objects.</summary>
internal static class Steps
{
    /// <summary>The properties that are not named after their key.</summary>
    private static readonly Dictionary<string, string> Properties = new Dictionary<string, string>
    {
        ["redirectionURL"] = "RedirectionUrl",
        ["roots"] = "TlsRoots",
        ["caFile"] = "TlsCaFile",
    };

    /// <summary>A new object, with each value in the property of its key.</summary>
    internal static T Fill<T>(JsonValue json)
        where T : new()
    {
        var target = new T();
        Fill(target, json);
        return target;
    }

    private static void Fill(object target, JsonValue json)
    {
        foreach (var key in json?.Keys ?? new List<string>())
        {
            var value = json[key];
            if (key == "tls")
            {
                Fill(target, value);
                continue;
            }
            if (!Properties.TryGetValue(key, out string name))
            {
                name = char.ToUpperInvariant(key[0])
                    + (key.EndsWith("Ms") ? key.Substring(1, key.Length - 3) : key.Substring(1));
            }
            var property = target.GetType().GetProperty(name)
                ?? throw new ArgumentException("no property " + name);
            property.SetValue(target, Argument(property.PropertyType, value));
        }
    }

    private static object Argument(Type type, JsonValue value)
    {
        type = Nullable.GetUnderlyingType(type) ?? type;
        if (type == typeof(string) || type == typeof(Amount))
        {
            var text = value.Kind == JsonKind.String
                ? value.Text
                : throw new ArgumentException("not a text");
            return type == typeof(string) ? (object)text : (Amount)text;
        }
        if (type == typeof(DateTimeOffset))
        {
            return DateTimeOffset.Parse(value.Text, CultureInfo.InvariantCulture);
        }
        if (type == typeof(TimeSpan))
        {
            return TimeSpan.FromMilliseconds(Number(value));
        }
        if (type == typeof(IEnumerable<string>))
        {
            return value.Items.Select(one => one.Text);
        }
        return type == typeof(IDictionary<string, string>)
            ? ExtraFields(value)
            : Convert.ChangeType(value.Raw, type, CultureInfo.InvariantCulture);
    }

    /// <summary>The order, or null if it is a text, or has other fields or types.</summary>
    internal static Order Order(JsonValue json)
    {
        try
        {
            return json.Kind == JsonKind.String ? null : Fill<Order>(json);
        }
        catch (ArgumentException)
        {
            return null;
        }
    }

    internal static StatusQuery Query(JsonValue json)
    {
        if (json.Keys.Count == 1 && json["orderId"] != null)
        {
            return StatusQuery.ByOrder(json["orderId"].Text);
        }
        return json.Keys.Count == 1 && json["transactionId"] != null
            ? StatusQuery.ByTransaction(json["transactionId"].Text)
            : StatusQuery.FromJson(json.Text);
    }

    internal static IDictionary<string, string> ExtraFields(JsonValue fields) =>
        fields?.Keys.ToDictionary(key => key, key => fields[key].Text);

    internal static int? Number(JsonValue json, string key) =>
        json?[key] == null ? (int?)null : Number(json[key]);

    private static int Number(JsonValue value) =>
        int.Parse(value.Raw, CultureInfo.InvariantCulture);
}
